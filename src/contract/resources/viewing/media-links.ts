import { Type } from '@sinclair/typebox';
import { Body, Timestamp, type Shape } from '../schema-parts.ts';

export const NewLink = Type.Optional(
  Body({
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        description: 'How long it is valid; default 6 hours',
      }),
    ),
  }),
);

export const LinkReply = Type.Object({
  url: Type.String({
    format: 'uri-reference',
    description: 'Begins with --public-url; without that, a path for the address of the request',
  }),
  expiresAt: Timestamp,
});

/** A link that a player can open. */
export type MediaLink = Shape<typeof LinkReply>;
