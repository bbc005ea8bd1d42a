import { Type } from '@sinclair/typebox';
import { Role } from './accounts.ts';
import { Body, JsonMap, List, Named, Timestamp, type Shape, type Wanted } from '../schema-parts.ts';

/**
 * Its content is validated by the identity's own strict parser, which has error codes of its own.
 */
const Pass = Named(
  'IdentityPass',
  Type.Unsafe<Record<string, unknown>>({
    ...JsonMap,
    description: 'The identity pass: `{payload, sig}`',
  }),
);

export const BeginBody = Body({ cert: Pass });

export const ChallengeReply = Type.Object({
  challenge: Type.String({ description: '64 hex digits; valid once, for two minutes' }),
});

/** A time in seconds would be in 1970, so it is refused as a mistake. */
const leastMs = 100_000_000_001;

export const CompleteBody = Named(
  'SignedChallenge',
  Body({
    cert: Pass,
    serverId: Type.String({ maxLength: 200 }),
    challenge: Type.String({ maxLength: 200 }),
    ts: Type.Integer({
      minimum: leastMs,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Unix milliseconds',
    }),
    sig: Type.String({
      maxLength: 200,
      description:
        'By the client key, over the canonical JSON (RFC 8785) of {cert, challenge, serverId, ts}',
    }),
  }),
);

/**
 * The body with which an app completes its sign-in; `sig` is over the canonical text of the rest.
 */
export type Completion = Wanted<typeof CompleteBody>;

export const IdentitySessionReply = Named(
  'IdentitySession',
  Type.Object({
    sessionToken: Type.String({ description: 'Shown once' }),
    expiresAt: Timestamp,
  }),
);

/** A new session, with the token that is never available again. */
export type FreshIdentitySession = Shape<typeof IdentitySessionReply>;

export const IdentityMeReply = Named(
  'IdentityViewer',
  Type.Object({
    userId: Type.String(),
    userPubKey: Type.String(),
    clientId: Type.String(),
    appId: Type.String(),
    deviceName: Type.String(),
    scope: List(Type.String()),
    localUserId: Type.String(),
    role: Role,
    certExp: Type.Integer({ description: 'Unix seconds' }),
    expiresAt: Timestamp,
  }),
);

/** The user of a token, as shown to the app. */
export type IdentityMe = Shape<typeof IdentityMeReply>;
