import { Type } from '@sinclair/typebox';
import { Entity } from '../../resource-schemas.ts';
import {
  Body,
  hiddenQuery,
  JsonMap,
  List,
  Named,
  nextCursor,
  Nullable,
  pageQuery,
} from '../../schemas.ts';

export const EntityReply = Type.Object({
  entity: Named(
    'EntityDetail',
    Type.Object({
      ...Entity.properties,
      ids: Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Its ids at providers, such as `{"imdb": "nm0000206"}`',
      }),
      metadata: JsonMap,
      hidden: Type.Boolean(),
      itemCount: Type.Integer({ description: 'Items of it that the viewer may see' }),
      favourite: Type.Boolean({ description: "Whether it is a favourite of the viewer's profile" }),
      lockedFields: List(Type.String(), {
        description: 'Edited by a person: scans do not change them',
      }),
      provenance: List(JsonMap, { description: 'Which plugin wrote what; for admins' }),
    }),
  ),
});

export const EntitiesQuery = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 64, description: 'Such as `person` or `artist`' }),
  status: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  ...hiddenQuery,
  ...pageQuery,
});

export const EntitiesReply = Type.Object({ entities: List(Entity), nextCursor });

export const EntityItemsQuery = Type.Object({
  ...hiddenQuery,
  role: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Such as `actor` or `director`' }),
  ),
  ...pageQuery,
});

const PictureMap = (description: string) =>
  Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description,
  });

export const EntityUnion = Named(
  'EntityMerge',
  Body({
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Entities of the same type to merge into this one',
    }),
  }),
);

export const EntitySplit = Named(
  'EntitySplit',
  Body({
    itemIds: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
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
