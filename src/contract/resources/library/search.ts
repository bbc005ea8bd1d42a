import { Type } from '@sinclair/typebox';
import { FoundEntity, FoundItem, FoundTile, itemShapes } from './catalogue.ts';
import { hiddenQuery, List, Named, OneOf } from '../schema-parts.ts';

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 500 }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 20,
      description: 'The maximum number of items; above 200 counts as 200',
    }),
  ),
  fields: Type.Optional(
    OneOf(itemShapes, {
      default: 'full',
      description: '`tile`: only what a list shows of each item',
    }),
  ),
  ...hiddenQuery,
});

/** What a write answers, and a search may send back. */
export const changeHeader = 'x-vitrine-change';

export const SearchHeaders = Type.Object({
  [changeHeader]: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      description: 'Of the reply to a write: waits at most 500 ms for its change',
    }),
  ),
});

export const SearchReply = Named(
  'SearchResult',
  Type.Object({
    query: Type.String(),
    items: List(Type.Union([FoundTile, FoundItem]), {
      description: 'Best first; tiles with `fields=tile`',
    }),
    itemsTotal: Type.Integer({ minimum: 0, description: 'The number of all matches' }),
    entities: List(FoundEntity, { description: 'Best first' }),
  }),
);
