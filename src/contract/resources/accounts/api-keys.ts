import { Type } from '@sinclair/typebox';
import { LimitList, Role, roles } from './accounts.ts';
import {
  Body,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

const scopes =
  'What limits it: `read-only`, `library:<id>`, `route:GET /api/items/:id`. A kind that is not named limits nothing: ' +
  '`read-only` alone reads every library of its user';

const ApiKey = Named(
  'ApiKey',
  Type.Object({
    id: Id,
    userId: Nullable(Type.String({ description: 'Its user' })),
    name: Type.String(),
    role: Role,
    scopes: LimitList(Type.String(), scopes),
    createdAt: Timestamp,
    expiresAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
  }),
);

/** An API key as its owner sees it: everything but the token, which is not stored. */
export type ApiKey = Shape<typeof ApiKey>;

export const NewApiKey = Named(
  'NewApiKey',
  Body({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    role: Type.Optional(
      OneOf(roles, { description: 'At most your own role, which is the default' }),
    ),
    scopes: Type.Optional(LimitList(Type.String({ maxLength: 300 }), scopes, { maxItems: 100 })),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  }),
);

/** The input for a new key. */
export type NewApiKey = Wanted<typeof NewApiKey>;

export const FreshApiKeyReply = Type.Object({
  apiKey: ApiKey,
  token: Type.String({ description: 'Shown once' }),
});

/** A new key, with the token that is never available again. */
export type FreshApiKey = Shape<typeof FreshApiKeyReply>;

export const ApiKeysQuery = Type.Object(pageQuery);

export const ApiKeysReply = Type.Object({ apiKeys: List(ApiKey), nextCursor });

/** A page of keys, newest first. */
export type ApiKeysPage = Shape<typeof ApiKeysReply>;
