export {
  createPlaylistFiles,
  type PlaylistContents,
  type PlaylistFiles,
  type PlaylistFilesParts,
} from './playlist-files.ts';
