import type { Items } from '../../../library/catalogue/index.ts';
import { withSeed } from '../../../library/catalogue/items/index.ts';
import { withoutLocale } from '../../../people/viewer/index.ts';
import { ItemListReply } from '../../../contract/resources/library/catalogue.ts';
import { DetailQuery, HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/items.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';
import type { ResponseCache } from '../../response-cache.ts';

const shared = { tag: 'items', access: 'guest' } as const;
const editing = { access: 'admin', allowsLibraryKeys: true } as const;

/** Items: what a person plays or reads in one go. */
export const itemRoutes = routes<{
  readonly items: Items;
  readonly cache: ResponseCache;
}>(shared, (route, { items, cache }) => {
  route('GET /api/items', {
    holdsNoSecret: true,
    operation: 'listItems',
    summary: 'List items',
    query: schema.ItemsQuery,
    reply: ItemListReply,
    handler: ({ query: asked, viewer, reply }) => {
      // A random order without a seed is another one each time, so it is not answered from the cache.
      const query = withSeed(asked);
      const make = () =>
        query.fields === 'tile' ? items.tiles(viewer, query) : items.list(viewer, query);
      return cache.send(reply, { viewer, question: query, make });
    },
  });

  route('GET /api/items/letters', {
    holdsNoSecret: true,
    operation: 'getItemLetters',
    summary: 'Letters of the list of items by title',
    query: schema.LettersQuery,
    reply: schema.LettersReply,
    handler: ({ query, viewer, reply }) => {
      const make = async () => ({ letters: await items.letters(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  });

  route('GET /api/items/languages', {
    holdsNoSecret: true,
    operation: 'getItemLanguages',
    summary: 'Languages of the sound of items, for the filter `language`',
    query: schema.LanguagesQuery,
    reply: schema.LanguagesReply,
    handler: ({ query, viewer, reply }) => {
      const make = async () => ({ languages: await items.languages(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  });

  route('GET /api/items/months', {
    holdsNoSecret: true,
    operation: 'getItemMonths',
    summary: 'Months of the list of items by date of release, of photos by the day they were taken',
    query: schema.LettersQuery,
    reply: schema.MonthsReply,
    handler: ({ query, viewer, reply }) => {
      const make = async () => ({ months: await items.months(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  });

  route('GET /api/items/:id', {
    holdsNoSecret: true,
    operation: 'getItem',
    summary: 'One item',
    query: DetailQuery,
    reply: schema.ItemReply,
    handler: async ({ params, query, viewer }) => {
      const reader = query.texts === 'stored' ? withoutLocale(viewer) : viewer;
      return { item: await items.get(params.id, reader) };
    },
  });

  route('GET /api/items/:id/similar', {
    holdsNoSecret: true,
    operation: 'listSimilarItems',
    summary: 'Titles like an item, the most similar first',
    query: schema.PartsQuery,
    reply: schema.SimilarReply,
    handler: async ({ params, query, viewer }) =>
      shortReply('items', await items.similar(params.id, viewer), query),
  });

  route('GET /api/items/:id/chapters', {
    holdsNoSecret: true,
    operation: 'listItemChapters',
    summary: 'Chapters of all files of an item',
    query: schema.PartsQuery,
    reply: schema.ChaptersReply,
    handler: async ({ params, query, viewer }) =>
      shortReply('chapters', await items.chapters(params.id, viewer), query),
  });

  route('GET /api/items/:id/pictures', {
    access: 'admin',
    allowsLibraryKeys: true,
    holdsNoSecret: true,
    operation: 'listItemPictures',
    summary: 'All pictures that an item can show, also those that it does not show',
    query: schema.PartsQuery,
    reply: schema.PicturesReply,
    handler: async ({ params, query, viewer }) =>
      shortReply('pictures', await items.pictures(params.id, viewer), query),
  });

  route('PATCH /api/items/:id', {
    ...editing,
    operation: 'updateItem',
    summary: 'Edit an item; later scans keep the edits',
    query: HiddenQuery,
    body: schema.ItemChanges,
    reply: schema.ItemReply,
    handler: async ({ params, body, viewer }) => ({
      item: await items.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/items/:id', {
    ...editing,
    operation: 'deleteItem',
    summary: 'Remove an item until one of its files changes; the files stay',
    query: HiddenQuery,
    handler: ({ params, viewer }) => items.remove(params.id, viewer),
  });
});
