import { Type } from '@sinclair/typebox';
import { TextMap } from './catalogue.ts';
import {
  Body,
  Documented,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  hiddenQuery,
  nextCursor,
  pageQuery,
  type Shape,
} from '../schema-parts.ts';

export const collectionSorts = ['manual', 'title', 'year', 'addedAt'] as const;

/** What a collection can be: a playlist is ordered, and an item may stand in it twice. */
export const collectionKinds = ['collection', 'playlist'] as const;

const SortBy = OneOf(collectionSorts, {
  description: '`manual` is the order that the owner chose',
});
const Kind = OneOf(collectionKinds, {
  description: 'A `playlist` is ordered, and an item may stand in it twice',
});
const SortOrder = Named('SortOrder', OneOf(['asc', 'desc']));

export const Collection = Named(
  'Collection',
  Type.Object({
    id: Id,
    kind: Kind,
    userId: Nullable(
      Documented(Type.String({ description: 'The owner; null = an automatic collection' }), {
        format: 'uuid',
      }),
    ),
    profileId: Nullable(
      Documented(
        Type.String({
          description: 'Its profile: other profiles do not see it; null = an automatic collection',
        }),
        { format: 'uuid' },
      ),
    ),
    distributedId: Type.String({ description: "The owner's own id for it, unique for the owner" }),
    name: Type.String(),
    description: Nullable(Type.String()),
    mediaType: Nullable(Type.String({ description: 'Open: `movies tv music …`; null = mixed' })),
    sortBy: SortBy,
    sortOrder: SortOrder,
    hidden: Type.Boolean(),
    itemCount: Type.Integer({ description: 'Items that the viewer may see' }),
    rule: Nullable(
      Type.Object(
        { entityId: Type.String() },
        { description: 'The entity whose items it has; null = people choose them' },
      ),
    ),
    assets: TextMap,
    assetAspects: TextMap,
    coverItemId: Nullable(Type.String({ description: 'The item chosen for the cover' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

/** The Collection resource. */
export type Collection = Shape<typeof Collection>;

export const CollectionReply = Type.Object({ collection: Collection });

export const CollectionsReply = Type.Object({ collections: List(Collection), nextCursor });

export type CollectionsPage = Shape<typeof CollectionsReply>;

export const CollectionsQuery = Type.Object({
  ...hiddenQuery,
  ...pageQuery,
});

const fields = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  mediaType: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  sortBy: Type.Optional(SortBy),
  sortOrder: Type.Optional(SortOrder),
  hidden: Type.Optional(Type.Boolean()),
};

const Name = Type.String({ minLength: 1, maxLength: 200 });

/** What the document says in the place of `required`; the refusal comes from the collections. */
const needsId = {
  // Generators of clients take a bare `anyOf` for all that the body may be.
  allOf: [
    {
      anyOf: [
        Type.Object({ distributedId: Type.String() }),
        Type.Object({ kind: Type.Literal('playlist') }),
      ],
    },
  ],
};

export const NewCollection = Named(
  'NewCollection',
  Documented(
    Body({
      kind: Type.Optional(Kind),
      distributedId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Required, but for a playlist, which has its own id when absent',
        }),
      ),
      name: Name,
      ...fields,
    }),
    needsId,
  ),
);

export const CollectionChanges = Named(
  'CollectionChanges',
  Body({
    name: Type.Optional(Name),
    coverItemId: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'An item of the collection whose picture is the cover; null = the first that has one',
        }),
      ),
    ),
    ...fields,
  }),
);

export const MembersQuery = Type.Object({
  ...hiddenQuery,
  sortBy: Type.Optional(SortBy),
  sortOrder: Type.Optional(SortOrder),
  ...pageQuery,
});

export const MemberParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  itemId: Type.String({ minLength: 1, maxLength: 200 }),
});

export const MemberQuery = Type.Object({
  ...hiddenQuery,
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'Position in the manual order, 0 = first; at the end when absent',
    }),
  ),
});
