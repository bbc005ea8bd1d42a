import { Type } from '@sinclair/typebox';
import { ListedEntity, Tile, itemShapes } from './catalogue.ts';
import {
  Body,
  Flag,
  JsonMap,
  List,
  Named,
  Nullable,
  OneOf,
  PictureMap,
  hiddenQuery,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

export const entitySorts = ['name', 'year', 'addedAt', 'playCount', 'random'] as const;

export const EntityReply = Type.Object({
  entity: Named(
    'EntityDetail',
    Type.Object({
      ...ListedEntity.properties,
      ids: Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Its ids at providers, such as `{"imdb": "nm0000206"}`',
      }),
      metadata: JsonMap,
      hidden: Type.Boolean(),
      lockedFields: List(Type.String(), {
        description: 'Edited by a person: scans do not change them',
      }),
      provenance: List(JsonMap, { description: 'Which plugin wrote what; for admins' }),
    }),
  ),
});

const filters = {
  type: Type.String({ minLength: 1, maxLength: 64, description: 'Such as `person` or `artist`' }),
  status: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  libraryId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only entities with items in this library; counts are of these items',
    }),
  ),
  artistId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only entities of which an item is also of this artist, such as its albums',
    }),
  ),
  year: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: 'A year or a range: `2001`, `2001..2009`, `2001..`, `..2009`',
    }),
  ),
  favourite: Type.Optional(Flag('Only favourites of the profile; `false`: only others')),
};

const sortOrder = Type.Optional(OneOf(['asc', 'desc'], { default: 'asc' }));

export const EntitiesQuery = Type.Object({
  ...filters,
  sortBy: Type.Optional(OneOf(entitySorts, { default: 'name' })),
  sortOrder,
  letter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: 'Begins the list by name at this letter; `#` is what comes before A',
    }),
  ),
  seed: Type.Optional(
    Type.String({ maxLength: 100, description: 'Of `sortBy=random`: another seed, another order' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'How many are passed over, for clients that jump; pages follow by `cursor`',
    }),
  ),
  ...hiddenQuery,
  ...pageQuery,
});

export const EntityLettersQuery = Type.Object({ ...filters, sortOrder, ...hiddenQuery });

/** The letters that have entities, in the order of the list. */
export const EntityLettersReply = Type.Object({
  letters: List(
    Named(
      'EntityLetter',
      Type.Object({
        letter: Type.String({ description: '`A` to `Z`, `#`, or a letter of another script' }),
        count: Type.Integer(),
        cursor: Type.String({
          description: 'Where `GET /api/entities` with the same filters begins with it',
        }),
      }),
    ),
  ),
});

export const EntitiesReply = Type.Object({ entities: List(ListedEntity), nextCursor });

export type EntitiesPage = Shape<typeof EntitiesReply>;

export const EntityItemsQuery = Type.Object({
  ...hiddenQuery,
  role: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Such as `actor` or `director`' }),
  ),
  fields: Type.Optional(
    OneOf(itemShapes, {
      default: 'full',
      description: '`tile`: only what a grid shows of each item',
    }),
  ),
  ...pageQuery,
});

export const EntityChildrenQuery = Type.Object({ ...hiddenQuery, ...pageQuery });

export const EntityChildrenReply = Type.Object({
  entities: List(ListedEntity, { description: 'Seasons of a show, albums of an artist' }),
  items: List(Tile, {
    description: 'Items of it that are in none of its entities, such as the books of a series',
  }),
  nextCursor,
});

/** What stands directly below an entity: first the entities, then the items. */
export type EntityChildrenPage = Shape<typeof EntityChildrenReply>;

export const EntityUnion = Named(
  'EntityMerge',
  Body({
    ids: List(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Entities of the same type to merge into this one',
    }),
  }),
);

export const EntitySplit = Named(
  'EntitySplit',
  Body({
    itemIds: List(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 500,
      description: 'Items of the entity to split off',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The name of the new entity; the same if absent',
      }),
    ),
  }),
);

/** Which items to split off. */
export type EntitySplit = Wanted<typeof EntitySplit>;

export const EntityChanges = Named(
  'EntityChanges',
  Body({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    searchTerms: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    hidden: Type.Optional(Type.Boolean()),
    assets: Type.Optional(PictureMap('Pictures by type, such as `poster`; null removes one')),
    assetAspects: Type.Optional(PictureMap('`square portrait landscape` by type of picture')),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        ...JsonMap,
        description: 'Keys to set; null removes a key',
      }),
    ),
  }),
);

/** What a person may change. Null removes a key of a map. */
export type EntityChanges = Wanted<typeof EntityChanges>;
