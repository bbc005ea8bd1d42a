export { readRelease, signRelease, type Release } from './release.ts';
export { updateMigrations } from './update-migrations.ts';
export { createUpdates } from './updates.ts';
export type { Updates, UpdatesParts } from './updates.ts';
