import { Type } from '@sinclair/typebox';
import { Body, JsonMap, List, Named, Nullable, OneOf } from '../schema-parts.ts';
import { CsrfToken } from '../library/catalogue.ts';
import { EndApiKeys, NameText, PasswordText, Role, UserReply } from './accounts.ts';

export const MeReply = Named(
  'Viewer',
  Type.Object(
    {
      credentialId: Type.String(),
      credentialKind: OneOf(['api-key', 'session', 'identity', 'server']),
      role: Role,
      libraryIds: Nullable(
        List(Type.String(), { description: 'The only libraries it sees; null = all' }),
      ),
      readOnly: Type.Boolean({ description: 'Only GET and HEAD are allowed' }),
      profileId: Type.String({ description: 'The profile that it acts as' }),
      user: UserReply,
      csrfToken: Type.Optional(CsrfToken),
    },
    { description: 'The viewer of the credential' },
  ),
);

const deviceName = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'The name in the list of sessions' }),
);

/** The result of `toJSON()` of a `PublicKeyCredential`. */
export const PasskeyText = JsonMap;

export const LoginBody = Named(
  'SignIn',
  Body({
    name: NameText,
    password: PasswordText,
    passkey: Type.Optional(PasskeyText),
    deviceName,
  }),
);

export const PasskeyLoginBody = Named('PasskeySignIn', Body({ passkey: PasskeyText, deviceName }));

export const OwnPasswordBody = Named(
  'PasswordChange',
  Body({
    currentPassword: Type.Optional(PasswordText),
    newPassword: PasswordText,
    endApiKeys: EndApiKeys,
  }),
);

export const OwnChangesBody = Named(
  'ViewerChanges',
  Body({
    requiresPasskey: Type.Boolean({ description: 'The password alone does not let the user in' }),
    password: Type.Optional(PasswordText),
  }),
);
