/** Parts of the schemas of accounts. */
import { Type, type TSchema } from '@sinclair/typebox';
import { CsrfToken } from '../library/catalogue.ts';
import {
  Body,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

/** The roles; each includes the rights of those after it. */
export const roles = ['admin', 'user', 'guest'] as const;

export const Role = Named('Role', OneOf(roles));

/** A list that limits. It says itself what an empty list and `null` mean, since the two differ. */
export const LimitList = <Item extends TSchema>(item: Item, what: string, options: object = {}) =>
  Nullable(List(item, { ...options, description: `${what}; \`[]\` = none, null = no limit` }));

const LibraryAccess = Named(
  'LibraryAccess',
  Type.Object({ libraryId: Id, maxRating: Nullable(Type.String()) }),
);

/** A library that a user may see, and up to which rating: `{libraryId, maxRating: 'PG-13'}`. */
export type LibraryAccess = Shape<typeof LibraryAccess>;

const WantedLibraryAccess = Body({
  libraryId: Type.String({ minLength: 1, maxLength: 100 }),
  maxRating: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: '`PG-13`, `FSK 12`; absent = no limit' })),
  ),
});

/** The same before validation: a missing rating and `null` mean the same. */
export type WantedLibraryAccess = Wanted<typeof WantedLibraryAccess>;

const mostLibraries = { maxItems: 500 };
const groupLibraries = 'What its users may see; `[]` = nothing';

export const LibraryAccessReply = LimitList(LibraryAccess, 'The only libraries');

export const LibraryAccessBody = LimitList(
  WantedLibraryAccess,
  'The only libraries',
  mostLibraries,
);

export const GroupAccessReply = List(LibraryAccess, { description: groupLibraries });

export const GroupAccessBody = List(WantedLibraryAccess, {
  ...mostLibraries,
  description: groupLibraries,
});

export const GroupIdsBody = List(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
});

export const UserReply = Named(
  'User',
  Type.Object(
    {
      id: Id,
      name: Type.String(),
      role: Role,
      disabled: Type.Boolean({ description: 'None of their credentials lets them in' }),
      libraryAccess: LibraryAccessReply,
      groupIds: List(Type.String()),
      hasPassword: Type.Boolean(),
      requiresPasskey: Type.Boolean({ description: 'The password alone does not let them in' }),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      lastSeenAt: Nullable(Timestamp),
    },
    { description: 'A person who may sign in' },
  ),
);

export type User = Shape<typeof UserReply>;

/** The domain checks passwords, since it counts characters and not UTF-16 units. */
/** Whether a new password also ends the API keys of its user. */
export const EndApiKeys = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Also end the API keys, which a person who knew the old password may have made',
  }),
);

export const PasswordText = Type.String({ maxLength: 4000, description: '10 to 1000 characters' });

export const NameText = Type.String({ minLength: 1, maxLength: 400 });

export const OneUserReply = Type.Object({ user: UserReply });

export const SignedInReply = Named(
  'SignedIn',
  Type.Object({
    sessionToken: Type.Optional(
      Type.String({
        description: 'Shown once; a cookie instead with X-Session: cookie',
      }),
    ),
    csrfToken: Type.Optional(CsrfToken),
    expiresAt: Timestamp,
    user: UserReply,
  }),
);

const Session = Named(
  'Session',
  Type.Object({
    id: Id,
    deviceName: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    address: Nullable(Type.String({ description: 'The address that last used it' })),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    expiresAt: Timestamp,
    isCurrent: Type.Boolean({ description: 'It is the session of this request' }),
  }),
);

export const SessionsReply = Type.Object({ sessions: List(Session), nextCursor });
