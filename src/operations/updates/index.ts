export { readRelease, signRelease, type Release } from './release.ts';
export { updateMigrations } from './update-migrations.ts';
export { createUpdates } from './updates.ts';
export type { UpdateChanges, Updates, UpdatesParts, UpdateStatus } from './updates.ts';
