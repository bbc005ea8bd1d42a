import { Type } from '@sinclair/typebox';
import { Body, Timestamp } from '../schemas.ts';

export const NewLink = Type.Optional(
  Body({
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        description: 'How long it opens; 6 hours when absent',
      }),
    ),
  }),
);

export const LinkReply = Type.Object({
  url: Type.String({
    description: 'Begins with --public-url; without that, the path, for the address that was asked',
  }),
  expiresAt: Timestamp,
});
