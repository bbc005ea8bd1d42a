export { accountMigrations } from './account-migrations.ts';
export { createAccounts, type Accounts } from './accounts.ts';
export type { ApiKeys } from './api-keys.ts';
export { carriedAccounts } from './carried-accounts.ts';
export {
  assertSeesAllIfAdmin,
  wantedAccess,
  type CheckUserAccess,
  type UserAccess,
} from './new-user.ts';
export type { Pairings } from './pairing/pairings.ts';
export type { Passkeys } from './passkeys/passkeys.ts';
export { newPassword, resetUser } from './reset.ts';
export type { Device, FreshSession, Sessions } from './sessions.ts';
export type { Setup } from './setup.ts';
export type { SignIn } from './sign-in.ts';
export { assertStillIn } from './still-in.ts';
export { keyOfName, parseUserName } from './user-name.ts';
export { findUser, usersIn } from './user-store.ts';
export type { UserFollower } from './user.ts';
export type { Users } from './users.ts';
