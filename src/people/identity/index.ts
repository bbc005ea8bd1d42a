export { carriedIdentities } from './carried-identities.ts';
export {
  createIdentity,
  identitiesOfUsers,
  type Identity,
  type IdentityParts,
} from './identity.ts';
export type { BrokerFetch } from './broker-client.ts';
export type { FeedSettings } from './feed-reader.ts';
export { identityMigrations } from './identity-migrations.ts';
export {
  canonicalText,
  decodeCanonical,
  fromBase64url,
  toBase64url,
  type CanonicalObject,
} from '../../../packages/lib/identity-protocol/index.ts';
export { type Links } from './links.ts';
export { fingerprintOf } from './link.ts';
export type { RequestLimits } from './request-rates.ts';
export { openServerIdentity, type ServerIdentity } from './server-id.ts';
export type { IdentitySessions } from './sessions.ts';
export type { IdentitySignIn } from './sign-in.ts';
