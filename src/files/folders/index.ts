export { createFolders, folderReader, type Folders } from './folders.ts';
