export {
  createPlaylistFiles,
  type PlaylistFiles,
  type PlaylistFilesParts,
} from './playlist-files.ts';
