import { Type } from '@sinclair/typebox';
import { FoundEntity, FoundItem } from '../../resource-schemas.ts';
import { hiddenQuery, List, Named } from '../../schemas.ts';

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 500 }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 20,
      description: 'The maximum number of items; above 200 counts as 200',
    }),
  ),
  ...hiddenQuery,
});

export const SearchReply = Named(
  'SearchResult',
  Type.Object({
    query: Type.String(),
    items: List(FoundItem, { description: 'Best first' }),
    itemsTotal: Type.Integer({ minimum: 0, description: 'The number of all matches' }),
    entities: List(FoundEntity, { description: 'Best first' }),
  }),
);
