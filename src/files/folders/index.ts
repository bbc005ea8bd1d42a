export { createFolders, folderReader, type FolderPage, type Folders } from './folders.ts';
