export { accountMigrations } from './account-migrations.ts';
export { carriedAccounts } from './carried-accounts.ts';
export type { ApiKey, NewApiKey } from './api-key.ts';
export { createAccounts } from './accounts.ts';
export type { Accounts, AccountsParts, ForeignSessions, Revocation } from './accounts.ts';
export type { ApiKeys, ApiKeysPage, FreshApiKey } from './api-keys.ts';
export type { ProfileResolver, ActiveProfile, ProfileRequest } from './active-profile.ts';
export { createAttemptGate } from './attempt-gate.ts';
export type { AttemptGate } from './attempt-gate.ts';
export { createAuthenticate } from './credentials.ts';
export type { Authenticate, AuthenticateParts, Caller } from './credentials.ts';
export type { CredentialHeaders, Credentials } from './credentials.ts';
export { createFreshCache, type FreshCache } from './fresh-cache.ts';
export { createListeners, type Listeners } from './listeners.ts';
export { createUseNotes, type UseNotes } from './use-notes.ts';
export { hashOfToken } from './token.ts';
export { toLibraryAccess } from './library-access.ts';
export type { LibraryAccess, WantedLibraryAccess } from './library-access.ts';
export type { Principal } from './principal.ts';
export type { Group, GroupChanges, Groups, GroupsPage, NewGroup } from './groups/index.ts';
export { createInvites, createReachability, inviteMigrations } from './invites/index.ts';
export type {
  FreshInvite,
  Invite,
  InvitePreview,
  Invites,
  InvitesPage,
  InvitesParts,
  NewInvite,
  Reachability,
  Redeemed,
  Redemption,
} from './invites/index.ts';
export { createProfileDomain, profileMigrations } from './profiles/index.ts';
export type {
  ActiveProfiles,
  Avatar,
  NewProfile,
  Profile,
  ProfileChanges,
  ProfileDomain,
  ProfileDomainParts,
  ProfileFollower,
  Profiles,
  ProfilesPage,
  ProfilesQuery,
  Unlocked,
} from './profiles/index.ts';
export { createLinkTokens, linkKinds } from './link-tokens.ts';
export type { LinkedMedia, LinkTokens, LinkTokensParts } from './link-tokens.ts';
export { fullVisibility, intersect, visibilityOfLibraries } from './visibility.ts';
export type { Visibility } from './visibility.ts';
export { usersIn } from './user-store.ts';
export type { User, UserFollower } from './user.ts';
export type { CheckUserAccess, PreparedUser, NewUser, UserAccess } from './new-user.ts';
export type { PasswordCheck } from './password-check.ts';
export { createPasswords } from './passwords.ts';
export type { PasswordCost, Passwords } from './passwords.ts';
export type { CreationOptions, RequestOptions } from './passkeys/browser-options.ts';
export type { Passkey } from './passkeys/passkey-store.ts';
export type { Passkeys } from './passkeys/passkeys.ts';
export { newPassword, resetUser } from './reset.ts';
export type { Reset, ResetParts } from './reset.ts';
export { opensRoute } from './route-scope.ts';
export type { Device, FreshSession, ListedSession, Sessions } from './sessions.ts';
export type { Setup } from './setup.ts';
export type { LoginAttempt, SignedIn, SignIn } from './sign-in.ts';
export type { UserChanges, Users, UsersPage } from './users.ts';
export {
  isAtLeast,
  isFullAdmin,
  libraryIdsOf,
  maySeeLibrary,
  roles,
  serverViewer,
  withHidden,
} from './viewer.ts';
export type { CredentialKind, Role, Viewer } from './viewer.ts';
