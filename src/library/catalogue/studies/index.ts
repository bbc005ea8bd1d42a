export type { StudiedFile } from './studied-file-store.ts';
export { createStudiedFiles, type StudiedFiles } from './studied-files.ts';
