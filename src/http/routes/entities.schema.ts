import { Type } from '@sinclair/typebox';
import { Body, Flag, List, nextCursor, Nullable, OneOf, pageQuery, Timestamp } from '../schemas.ts';

const TextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

const entityFields = {
  id: Type.String(),
  type: Type.String({
    description: 'Open: `person genre artist album show season series studio`',
  }),
  name: Type.String(),
  status: OneOf(['pending', 'complete']),
  sourcePluginId: Nullable(Type.String({ description: 'The plugin that named it first' })),
  searchTerms: Nullable(Type.String({ description: 'Other words that it is found by' })),
  assets: TextMap,
  assetAspects: TextMap,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const Entity = Type.Object(entityFields);

export const FoundEntity = Type.Object({
  ...entityFields,
  confidence: Type.Number({ description: 'How well it matches, 0 to 1' }),
});

export const EntityReply = Type.Object({ entity: Entity });

export const EntitiesQuery = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 64, description: 'Such as `person` or `artist`' }),
  status: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  includeHidden: Type.Optional(Flag('Hidden ones too; needs an active license')),
  ...pageQuery,
});

export const EntitiesReply = Type.Object({ entities: List(Entity), nextCursor });

export const EntityItemsQuery = Type.Object(pageQuery);

export const EntityChanges = Body({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  searchTerms: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
  hidden: Type.Optional(Type.Boolean()),
});
