import { Type } from '@sinclair/typebox';
import { Entity } from '../resource-schemas.ts';
import { Body, Flag, List, nextCursor, Nullable, pageQuery } from '../schemas.ts';

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
