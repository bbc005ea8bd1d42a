import { Type } from '@sinclair/typebox';
import {
  Body,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  Uri,
  nextCursor,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';
import { PasswordText } from './accounts.ts';

/** The states of a link: `approved` waits for the confirmation of its fingerprint. */
export const linkStates = ['pending', 'approved', 'failed', 'active', 'relink_required'] as const;

const Link = Named(
  'IdentityLink',
  Type.Object(
    {
      id: Id,
      userId: Type.String({ description: 'The local user of the link' }),
      state: OneOf(linkStates, {
        description:
          '`pending`: not approved on the broker yet; `approved`: its fingerprint must be confirmed; `relink_required`: the identity has a key that is not followed',
      }),
      identityUrl: Uri(),
      linkUrl: Nullable(Uri('Where to approve it')),
      expiresAt: Nullable(Timestamp),
      failure: Nullable(OneOf(['denied', 'expired', 'refused'])),
      userPubKey: Nullable(Type.String()),
      fingerprint: Nullable(
        Type.String({ description: 'Of the identity: 16 hex digits in 4 groups' }),
      ),
      followRotation: Nullable(
        Type.Boolean({
          description: 'A new key that the old one signed is accepted automatically',
        }),
      ),
      linkedAt: Nullable(Timestamp),
    },
    { description: 'The link of a local user to an identity' },
  ),
);

/** A link as its user sees it. */
export type ShownLink = Shape<typeof Link>;

export const BeginLinkBody = Body({ password: Type.Optional(PasswordText) });

export const ConfirmBody = Named(
  'IdentityLinkConfirmation',
  Body({
    fingerprint: Type.String({
      maxLength: 40,
      description: 'As the page of the broker shows it',
    }),
    followRotation: Type.Optional(
      Type.Boolean({ description: 'Default: true, but false for admins' }),
    ),
  }),
);

/** The input of a confirmation. */
export type Confirmation = Wanted<typeof ConfirmBody>;

export const LinkReply = Type.Object({ link: Link });

export const LinksReply = Type.Object({
  links: List(Link),
  identityUrl: Nullable(Uri('The broker of new links; null = none')),
  serverFingerprint: Type.String({ description: 'Of this server, as the broker shows it' }),
  nextCursor,
});
