export { inviteMigrations } from './invite-migrations.ts';
export { countOpenInvites, removeInvitesBy } from './invite-store.ts';
export { createInvites, type Invites } from './invites.ts';
export { createReachability, type Reachability } from './reachability.ts';
