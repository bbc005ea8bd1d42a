import type { FastifyRequest } from 'fastify';
import type { Identity } from '../../../people/identity/index.ts';
import { householdOf } from '../../../platform/networks.ts';
import * as schema from '../../../contract/resources/accounts/identity-sessions.ts';
import { routes } from '../../route.ts';
import { addressOf } from '../../client-address.ts';

const shared = { tag: 'identity', access: 'nobody', isForApps: true } as const;

/** Signing in with an identity pass. */
export const identitySessionRoutes = routes<{
  readonly identity: Pick<Identity, 'signIn' | 'sessions'>;
}>(shared, (route, { identity: { signIn, sessions } }) => {
  route('POST /api/auth/identity-session/begin', {
    onRequest: async (request) => signIn.admit('begin', networkOfRequest(request)),
    operation: 'beginIdentitySession',
    summary: 'Send a pass, and get a challenge to sign',
    body: schema.BeginBody,
    reply: schema.ChallengeReply,
    handler: ({ body }) => signIn.begin(body.cert),
  });

  route('POST /api/auth/identity-session/complete', {
    onRequest: async (request) => signIn.admit('complete', networkOfRequest(request)),
    operation: 'completeIdentitySession',
    summary: 'Send the signed challenge, and get a session',
    body: schema.CompleteBody,
    reply: schema.IdentitySessionReply,
    handler: ({ body, request }) => signIn.complete(body, networkOfRequest(request)),
  });

  route('GET /api/auth/identity/me', {
    access: 'guest',
    worksLocked: true,
    operation: 'getIdentityViewer',
    summary: 'The viewer of an identity session',
    reply: schema.IdentityMeReply,
    handler: ({ viewer }) => sessions.me(viewer),
  });
});

const networkOfRequest = (request: FastifyRequest): string => householdOf(addressOf(request));
