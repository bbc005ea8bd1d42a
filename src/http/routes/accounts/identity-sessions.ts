import type { FastifyRequest } from 'fastify';
import type { Identity } from '../../../people/identity/index.ts';
import { viewerOf } from '../../access.ts';
import { householdOf } from '../../../platform/networks.ts';
import { addressOf } from '../../client-address.ts';
import type { Routes } from '../../http-app.ts';
import {
  BeginBody,
  ChallengeReply,
  CompleteBody,
  IdentityMeReply,
  IdentitySessionReply,
} from '../../../contract/resources/accounts/identity-sessions.ts';

const tags = ['identity'];
const open = { access: 'nobody', isForApps: true } as const;

/** Signing in with an identity pass. */
export const identitySessionRoutes: Routes<{
  readonly identity: Pick<Identity, 'signIn' | 'sessions'>;
}> = async (app, { identity: { signIn, sessions } }) => {
  app.post(
    '/api/auth/identity-session/begin',
    {
      config: open,
      onRequest: async (request) => signIn.admit('begin', networkOfRequest(request)),
      schema: {
        operationId: 'beginIdentitySession',
        summary: 'Send a pass, and get a challenge to sign',
        tags,
        body: BeginBody,
        response: { 200: ChallengeReply },
      },
    },
    (request) => signIn.begin(request.body.cert, networkOfRequest(request)),
  );

  app.post(
    '/api/auth/identity-session/complete',
    {
      config: open,
      onRequest: async (request) => signIn.admit('complete', networkOfRequest(request)),
      schema: {
        operationId: 'completeIdentitySession',
        summary: 'Send the signed challenge, and get a session',
        tags,
        body: CompleteBody,
        response: { 200: IdentitySessionReply },
      },
    },
    (request) => signIn.complete(request.body, networkOfRequest(request)),
  );

  app.get(
    '/api/auth/identity/me',
    {
      config: { access: 'guest', worksLocked: true, isForApps: true },
      schema: {
        operationId: 'getIdentityViewer',
        summary: 'The viewer of an identity session',
        tags,
        response: { 200: IdentityMeReply },
      },
    },
    (request) => sessions.me(viewerOf(request)),
  );
};

const networkOfRequest = (request: FastifyRequest): string => householdOf(addressOf(request));
