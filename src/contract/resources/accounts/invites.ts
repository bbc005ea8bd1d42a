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
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';
import {
  GroupIdsBody,
  LibraryAccessBody,
  LibraryAccessReply,
  NameText,
  PasswordText,
  Role,
  roles,
} from './accounts.ts';

const Invite = Named(
  'Invite',
  Type.Object(
    {
      id: Id,
      token: Type.String({
        description: 'Complete in the answer that creates it, later masked: `vtn_…aB3x`',
      }),
      role: Role,
      libraryAccess: LibraryAccessReply,
      groupIds: List(Type.String()),
      maxUses: Type.Integer(),
      useCount: Type.Integer(),
      expiresAt: Timestamp,
      createdBy: Type.String({ description: 'The id of the user who made it' }),
      createdAt: Timestamp,
    },
    { description: 'A link by which a person becomes a user' },
  ),
);

/** A link that lets a person create a user account. */
export type Invite = Shape<typeof Invite>;

export const NewInvite = Named(
  'NewInvite',
  Body({
    role: Type.Optional(OneOf(roles, { description: '`user` when absent' })),
    libraryAccess: Type.Optional(LibraryAccessBody),
    groupIds: Type.Optional(GroupIdsBody),
    maxUses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'How many people may redeem it; default 1',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Default: in 7 days; at most in 366' }),
    ),
  }),
);

/** The input for a new invite; `{}` = one user, who sees everything, within a week. */
export type NewInvite = Wanted<typeof NewInvite>;

export const FreshInviteReply = Named(
  'FreshInvite',
  Type.Object({
    invite: Invite,
    url: Uri('The link; the token follows the #'),
    externallyReachable: Type.Boolean({
      description: 'The server has just reached itself at its public URL',
    }),
    reason: Nullable(Type.String({ description: 'Why it could not' })),
  }),
);

/** A new invite, with the token that is never available again. */
export type FreshInvite = Shape<typeof FreshInviteReply>;

export const InvitesQuery = Type.Object(pageQuery);

export const InvitesReply = Type.Object({ invites: List(Invite), nextCursor });

/** A page of invites, newest first. */
export type InvitesPage = Shape<typeof InvitesReply>;

const Token = Type.String({ minLength: 1, maxLength: 200 });

export const TokenParams = Type.Object({ token: Token });

/** One path has one name for its parameter; here the token stands for the id. */
export const TokenAsIdParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The token of the invite' }),
});

export const LookBody = Body({ token: Token });

export const InvitePreview = Type.Object({
  invite: Named(
    'InvitePreview',
    Type.Object({ role: Role, serverName: Type.String(), expiresAt: Timestamp }),
  ),
});

const redemption = {
  name: NameText,
  password: PasswordText,
  deviceName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
};

export const RedeemBody = Body(redemption);

export const TokenRedeemBody = Body({ token: Token, ...redemption });

export const NonceParams = Type.Object({ nonce: Type.String({ minLength: 1, maxLength: 100 }) });

export const ReachableReply = Type.Object({ answer: Type.String() });
