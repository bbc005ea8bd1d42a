export { inviteMigrations } from './invite-migrations.ts';
export type { Invite } from './invite.ts';
export { countOpenInvites, removeInvitesBy } from './invite-store.ts';
export { createInvites } from './invites.ts';
export type {
  FreshInvite,
  InvitePreview,
  Invites,
  InvitesPage,
  InvitesParts,
  NewInvite,
  Redeemed,
  Redemption,
} from './invites.ts';
export { createReachability } from './reachability.ts';
export type { Reachability, ReachabilityParts, Reached } from './reachability.ts';
