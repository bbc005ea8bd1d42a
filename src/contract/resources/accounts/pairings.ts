import { Type } from '@sinclair/typebox';
import { CsrfToken } from '../library/catalogue.ts';
import { Body, Named, Nullable, OneOf, Timestamp } from '../schema-parts.ts';
import { UserReply } from './accounts.ts';

const DeviceName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The name in the list of sessions',
});

const Code = Type.String({
  minLength: 1,
  maxLength: 30,
  description: 'The 8 letters that the device shows; spaces, hyphens and small letters are allowed',
});

export const BeginPairingBody = Body({ deviceName: Type.Optional(DeviceName) });

export const BegunPairingReply = Type.Object({
  pairing: Named(
    'Pairing',
    Type.Object({
      code: Type.String({ description: 'For a person who is signed in: 8 letters' }),
      secret: Type.String({ description: 'For the device, which asks with it; never shown' }),
      expiresAt: Timestamp,
    }),
  ),
});

export const ClaimBody = Body({ secret: Type.String({ minLength: 1, maxLength: 100 }) });

/** The session is there once, with the status `accepted`. */
export const PairingStateReply = Named(
  'PairingState',
  Type.Object({
    status: OneOf(['waiting', 'accepted', 'refused']),
    sessionToken: Type.Optional(
      Type.String({ description: 'Shown once; a cookie instead with X-Session: cookie' }),
    ),
    csrfToken: Type.Optional(CsrfToken),
    expiresAt: Type.Optional(Timestamp),
    user: Type.Optional(UserReply),
  }),
);

export const PairingCodeBody = Body({ code: Code });

export const AcceptPairingBody = Body({ code: Code, deviceName: Type.Optional(DeviceName) });

export const WaitingDeviceReply = Type.Object({
  device: Named(
    'WaitingDevice',
    Type.Object({
      deviceName: Nullable(Type.String()),
      userAgent: Nullable(Type.String()),
      address: Nullable(Type.String({ description: 'The address that the device asks from' })),
      createdAt: Timestamp,
      expiresAt: Timestamp,
    }),
  ),
});
