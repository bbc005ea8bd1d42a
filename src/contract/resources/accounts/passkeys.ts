import { Type } from '@sinclair/typebox';
import {
  Body,
  Id,
  JsonMap,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  type Shape,
} from '../schema-parts.ts';
import { PasswordText } from './accounts.ts';

const Passkey = Named(
  'Passkey',
  Type.Object({
    id: Id,
    name: Type.String(),
    isSynced: Type.Boolean({ description: 'A password manager syncs it to other devices' }),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  }),
);

/** A passkey as its user sees it. */
export type Passkey = Shape<typeof Passkey>;

const Credential = Type.Object({
  type: OneOf(['public-key']),
  id: Type.String(),
  transports: List(Type.String()),
});

export const RequestOptionsReply = Type.Object({
  options: Type.Object(
    {
      challenge: Type.String(),
      rpId: Type.String(),
      timeout: Type.Integer(),
      userVerification: OneOf(['required']),
    },
    { description: 'For PublicKeyCredential.parseRequestOptionsFromJSON' },
  ),
});

export const CreationOptionsReply = Type.Object({
  options: Type.Object(
    {
      challenge: Type.String(),
      rp: Type.Object({ id: Type.String(), name: Type.String() }),
      user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
      pubKeyCredParams: List(Type.Object({ type: OneOf(['public-key']), alg: Type.Integer() })),
      timeout: Type.Integer(),
      excludeCredentials: List(Credential),
      authenticatorSelection: Type.Object({
        residentKey: OneOf(['required']),
        requireResidentKey: Type.Boolean(),
        userVerification: OneOf(['required']),
      }),
      attestation: OneOf(['none']),
    },
    { description: 'For PublicKeyCredential.parseCreationOptionsFromJSON' },
  ),
});

export const BeginAddingBody = Body({ password: Type.Optional(PasswordText) });

const PasskeyName = Type.String({ minLength: 1, maxLength: 100 });

export const NewPasskeyBody = Named('NewPasskey', Body({ name: PasskeyName, passkey: JsonMap }));

export const RenameBody = Body({ name: PasskeyName });

export const PasskeysReply = Type.Object({ passkeys: List(Passkey), nextCursor });

export const PasskeyReply = Type.Object({ passkey: Passkey });
