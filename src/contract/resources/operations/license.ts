import { Type } from '@sinclair/typebox';
import { Body, Named, Nullable, OneOf, Timestamp, type Shape } from '../schema-parts.ts';

/** The states of a license. */
export const licenseStatuses = ['unlicensed', 'active', 'expired', 'invalid'] as const;

export const License = Named(
  'License',
  Type.Object({
    status: OneOf(licenseStatuses),
    tier: Nullable(Type.String({ description: 'null without a license' })),
    limits: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'The allowed numbers: `users libraries profiles`; absent = unlimited',
    }),
    expiresAt: Nullable(Timestamp),
    lastValidatedAt: Nullable(Timestamp),
    maskedKey: Nullable(
      Type.String({ description: 'The last 4 characters of the key; null without one' }),
    ),
  }),
);

/** The license of the server, as an admin sees it. */
export type License = Shape<typeof License>;

export const LicenseReply = Type.Object({ license: License });

export const NewLicense = Body({ licenseKey: Type.String() });

export const ActivatedReply = Type.Object({ ok: Type.Literal(true), license: License });

export const ActivationFailure = Named(
  'LicenseRefusal',
  Type.Object(
    {
      ok: Type.Literal(false),
      code: Type.String({
        description:
          '`MALFORMED BAD_SIGNATURE EXPIRED UNKNOWN_ISSUER AUTHORITY_UNREACHABLE REFUSED`',
      }),
      message: Type.String(),
    },
    { description: 'The key was not accepted' },
  ),
);

export const ActivationConflict = Named(
  'LicenseConflict',
  Type.Object(
    {
      ok: Type.Literal(false),
      conflict: Type.Literal(true),
      current: Type.Integer({ description: 'Servers that use the license' }),
      max: Type.Integer({ description: 'Servers that may use it at the same time' }),
      message: Type.String(),
    },
    { description: 'All seats of the license are taken' },
  ),
);
