import { shortPage } from '../../short-list.ts';
import { libraryIdsOf } from '../../../people/viewer/index.ts';
import type { Accounts, Sessions, SignIn, Users } from '../../../people/accounts/index.ts';
import { viewerOf } from '../../access.ts';
import {
  OneUserReply,
  SessionsReply,
  SignedInReply,
} from '../../../contract/resources/accounts/accounts.ts';
import { deviceOf } from '../../device.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import {
  LoginBody,
  MeReply,
  OwnChangesBody,
  OwnPasswordBody,
  PasskeyLoginBody,
} from '../../../contract/resources/accounts/auth.ts';

const tags = ['auth'];
/** `X-Session: cookie` makes the token a cookie. */
const signingIn = { access: 'nobody', session: 'opens' } as const;
/** Reading oneself and signing out also work for a locked profile. */
const ending = { access: 'guest', worksLocked: true, writes: 'endsCredentials' } as const;
const oneself = { access: 'guest', worksLocked: true } as const;

/** What signing in needs. */
export interface AuthRouteParts {
  readonly users: Pick<Users, 'get'>;
  readonly sessions: Pick<Sessions, 'list' | 'remove' | 'removeOthers'>;
  readonly signIn: SignIn;
  readonly identitySessions?: Accounts['identitySessions'];
}

/** Sign-in, sign-out, and the viewer of a credential. */
export const authRoutes: Routes<AuthRouteParts> = async (app, parts) => {
  const { users, sessions, signIn, identitySessions } = parts;
  app.post(
    '/api/auth/login',
    {
      config: signingIn,
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with name and password',
        tags,
        body: LoginBody,
        response: { 200: SignedInReply },
      },
    },
    (request) => {
      const { deviceName, ...attempt } = request.body;
      return signIn.withPassword(attempt, deviceOf(request, deviceName));
    },
  );

  app.post(
    '/api/auth/login/passkey',
    {
      config: signingIn,
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey alone',
        tags,
        body: PasskeyLoginBody,
        response: { 200: SignedInReply },
      },
    },
    (request) => {
      const { passkey, deviceName } = request.body;
      return signIn.withPasskey(passkey, deviceOf(request, deviceName));
    },
  );

  app.post(
    '/api/auth/logout',
    {
      config: { ...ending, session: 'ends' },
      schema: {
        operationId: 'signOut',
        summary: 'End the session of this request',
        tags,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      if (viewer.credentialKind === 'identity') await identitySessions?.end(viewer);
      else if (viewer.credentialKind === 'session')
        await sessions.remove(viewer.credentialId, viewer);
      else throw new AppError('conflict', { what: noSession });
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/auth/me',
    {
      config: { ...oneself, session: 'tells' },
      schema: {
        operationId: 'getViewer',
        summary: 'The viewer of the credential',
        tags,
        response: { 200: MeReply },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const { credentialId, credentialKind, role, isReadOnly: readOnly, profileId } = viewer;
      const libraryIds = libraryIdsOf(viewer);
      const user = await users.get(viewer.userId, viewer);
      return { credentialId, credentialKind, role, libraryIds, readOnly, profileId, user };
    },
  );

  app.patch(
    '/api/auth/me',
    {
      config: { access: 'guest' },
      schema: {
        operationId: 'updateViewer',
        summary: 'Choose whether my password alone lets me in',
        tags,
        body: OwnChangesBody,
        response: { 200: OneUserReply },
      },
    },
    async (request) => {
      const { requiresPasskey, password = null } = request.body;
      const choice = { requiresPasskey, password };
      return { user: await signIn.requirePasskey(choice, viewerOf(request)) };
    },
  );

  app.post(
    '/api/auth/password',
    {
      config: { access: 'guest', writes: 'endsCredentials' },
      schema: {
        operationId: 'changePassword',
        summary: 'Change my password, which ends my other sessions',
        tags,
        body: OwnPasswordBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { currentPassword = null, newPassword, endApiKeys = false } = request.body;
      const change = { currentPassword, newPassword, endApiKeys };
      await signIn.changePassword(change, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/auth/sessions',
    {
      config: oneself,
      schema: {
        operationId: 'listSessions',
        summary: 'List my sessions',
        tags,
        querystring: ShortListQuery,
        response: { 200: SessionsReply },
      },
    },
    async (request) => {
      const list = await sessions.list(viewerOf(request));
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { sessions: page, nextCursor };
    },
  );

  app.delete(
    '/api/auth/sessions',
    {
      config: ending,
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End all my sessions except the one of this request',
        tags,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await sessions.removeOthers(viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/auth/sessions/:id',
    {
      config: ending,
      schema: {
        operationId: 'endSession',
        summary: 'End one of my sessions',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await sessions.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};

const noSession = 'An API key does not sign out. Remove it with DELETE /api/api-keys/:id.';
