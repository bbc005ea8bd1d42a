import { Type } from '@sinclair/typebox';
import { Body, Timestamp } from '../schemas.ts';
import { CsrfToken } from '../resource-schemas.ts';
import { NameText, PasswordText, UserReply } from './users.schema.ts';

export const SetupState = Type.Object({
  isNeeded: Type.Boolean({ description: 'There is no user yet' }),
});

export const SetupBody = Body({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'From the setup link' }),
  name: NameText,
  password: PasswordText,
  deviceName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});

export const SignedInReply = Type.Object({
  sessionToken: Type.Optional(
    Type.String({
      description:
        'Shown now and never again; a cookie instead where X-Session: cookie asks for it',
    }),
  ),
  csrfToken: Type.Optional(CsrfToken),
  expiresAt: Timestamp,
  user: UserReply,
});
