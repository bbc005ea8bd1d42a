import { libraryIdsOf } from '../../../people/viewer/index.ts';
import type { Accounts, Sessions, SignIn, Users } from '../../../people/accounts/index.ts';
import {
  OneUserReply,
  SessionsReply,
  SignedInReply,
} from '../../../contract/resources/accounts/accounts.ts';
import { AppError } from '../../../platform/errors.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/accounts/auth.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';
import { deviceOf } from '../../device.ts';

const shared = { tag: 'auth', access: 'guest' } as const;
/** `X-Session: cookie` makes the token a cookie. */
const signingIn = { access: 'nobody', session: 'opens' } as const;
/** Reading oneself and signing out also work for a locked profile. */
const ending = { access: 'guest', worksLocked: true, writes: 'endsCredentials' } as const;

/** What signing in needs. */
export interface AuthRouteParts {
  readonly users: Pick<Users, 'get'>;
  readonly sessions: Pick<Sessions, 'list' | 'remove' | 'removeOthers'>;
  readonly signIn: SignIn;
  readonly identitySessions?: Accounts['identitySessions'];
}

/** Sign-in, sign-out, and the viewer of a credential. */
export const authRoutes = routes<AuthRouteParts>(shared, (route, parts) => {
  const { users, sessions, signIn, identitySessions } = parts;
  route('POST /api/auth/login', {
    ...signingIn,
    operation: 'signIn',
    summary: 'Sign in with name and password',
    body: schema.LoginBody,
    reply: SignedInReply,
    handler: ({ body, request }) => {
      const { deviceName, ...attempt } = body;
      return signIn.withPassword(attempt, deviceOf(request, deviceName));
    },
  });

  route('POST /api/auth/login/passkey', {
    ...signingIn,
    operation: 'signInWithPasskey',
    summary: 'Sign in with a passkey alone',
    body: schema.PasskeyLoginBody,
    reply: SignedInReply,
    handler: ({ body, request }) =>
      signIn.withPasskey(body.passkey, deviceOf(request, body.deviceName)),
  });

  route('POST /api/auth/logout', {
    worksLocked: true,
    writes: 'endsCredentials',
    session: 'ends',
    operation: 'signOut',
    summary: 'End the session of this request',
    handler: async ({ viewer }) => {
      if (viewer.credentialKind === 'identity') await identitySessions?.end(viewer);
      else if (viewer.credentialKind === 'session')
        await sessions.remove(viewer.credentialId, viewer);
      else throw new AppError('conflict', { what: noSession });
    },
  });

  route('GET /api/auth/me', {
    worksLocked: true,
    session: 'tells',
    operation: 'getViewer',
    summary: 'The viewer of the credential',
    reply: schema.MeReply,
    handler: async ({ viewer }) => {
      const { credentialId, credentialKind, role, isReadOnly: readOnly, profileId } = viewer;
      const libraryIds = libraryIdsOf(viewer);
      const user = await users.get(viewer.userId, viewer);
      return { credentialId, credentialKind, role, libraryIds, readOnly, profileId, user };
    },
  });

  route('PATCH /api/auth/me', {
    operation: 'updateViewer',
    summary: 'Choose whether my password alone lets me in',
    body: schema.OwnChangesBody,
    reply: OneUserReply,
    handler: async ({ body, viewer }) => {
      const { requiresPasskey, password = null } = body;
      return { user: await signIn.requirePasskey({ requiresPasskey, password }, viewer) };
    },
  });

  route('POST /api/auth/password', {
    writes: 'endsCredentials',
    operation: 'changePassword',
    summary: 'Change my password, which ends my other sessions',
    body: schema.OwnPasswordBody,
    handler: async ({ body, viewer }) => {
      const { currentPassword = null, newPassword, endApiKeys = false } = body;
      const change = { currentPassword, newPassword, endApiKeys };
      await signIn.changePassword(change, viewer);
    },
  });

  route('GET /api/auth/sessions', {
    worksLocked: true,
    operation: 'listSessions',
    summary: 'List my sessions',
    query: ShortListQuery,
    reply: SessionsReply,
    handler: async ({ query, viewer }) =>
      shortReply('sessions', await sessions.list(viewer), query),
  });

  route('DELETE /api/auth/sessions', {
    ...ending,
    operation: 'endOtherSessions',
    summary: 'End all my sessions except the one of this request',
    handler: ({ viewer }) => sessions.removeOthers(viewer),
  });

  route('DELETE /api/auth/sessions/:id', {
    ...ending,
    operation: 'endSession',
    summary: 'End one of my sessions',
    handler: ({ params, viewer }) => sessions.remove(params.id, viewer),
  });
});

const noSession = 'An API key does not sign out. Remove it with DELETE /api/api-keys/:id.';
