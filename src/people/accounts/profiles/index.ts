export { createActiveProfiles } from './active-profiles.ts';
export type { ActiveProfilesParts, ActiveProfiles } from './active-profiles.ts';
export type { Avatar } from './avatar-store.ts';
export { createPins } from './pins.ts';
export type { Pins, PinsParts } from './pins.ts';
export { createProfileFollower } from './profile-follower.ts';
export type { AssertRoomForProfile, ProfileFollowerParts } from './profile-follower.ts';
export { createProfileDomain } from './profile-domain.ts';
export type { ProfileDomain, ProfileDomainParts } from './profile-domain.ts';
export { profileMigrations } from './profile-migrations.ts';
export type { Profile, ProfileFollower } from './profile.ts';
export { createProfiles } from './profiles.ts';
export type {
  NewProfile,
  ProfileChanges,
  Profiles,
  ProfilesPage,
  ProfilesParts,
  ProfilesQuery,
  Unlocked,
} from './profiles.ts';
