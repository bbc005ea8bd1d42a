export { type MediaJobType } from '../libraries/media-jobs.ts';
export type { StudiedFile } from './studied-file-store.ts';
export type { StudiedFiles } from './studied-files.ts';
