export { createProfileDomain, type ProfileDomain } from './profile-domain.ts';
export type { Preferences } from './preferences.ts';
export { profileMigrations } from './profile-migrations.ts';
export type { ProfileFollower } from './profile.ts';
export type { Profiles } from './profiles.ts';
