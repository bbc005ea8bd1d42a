export { createPlayInfos, type FindPlayInfos } from './play-info.ts';
export { createPlayableFiles, createPlayedFiles, type FindPlayed } from './playable-file.ts';
export { createPrepareSegments } from './prepare-segments.ts';
export { createSessionDecision } from './session-decision.ts';
export type { SessionLimits } from './session-limits.ts';
export {
  createSessionMedia,
  playlistHeaders,
  type Asked,
  type SessionMedia,
} from './session-media.ts';
export { createPlaybackSessions, type PlaybackSessions } from './sessions.ts';
