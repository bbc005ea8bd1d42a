export { createLocalRegister } from './local-register.ts';
export { createPlayInfos, type FindPlayInfos } from './play-info.ts';
export {
  createPlayableFiles,
  createPlayedFiles,
  type FindPlayable,
  type FindPlayed,
} from './playable-file.ts';
export { createPrepareSegments } from './prepare-segments.ts';
export { createSessionDecision } from './session-decision.ts';
export type { SessionLimits } from './session-limits.ts';
export { sessionMigrations } from './session-migrations.ts';
export { createSharedRegister } from './shared-register.ts';
export {
  createSessionMedia,
  playlistHeaders,
  type Asked,
  type SessionMedia,
} from './session-media.ts';
export { createPlaybackSessions, type PlaybackSessions } from './sessions.ts';
export type { OpenRegister, SessionsOf } from './session-register.ts';
