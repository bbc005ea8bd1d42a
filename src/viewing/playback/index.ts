export { entityProfile } from './entity-profile-store.ts';
export { createMarks } from './marks.ts';
export type { ItemMarks, Marks } from './marks.ts';
export { createPlayback } from './playback.ts';
export type { Playback } from './playback.ts';
export { playbackMigrations } from './playback-migrations.ts';
export { playbackOfProfiles } from './profile-playback.ts';
export { profileItems, selectItemPlayback } from './playback-select.ts';
export { watchedCounts } from './watched-counts.ts';
