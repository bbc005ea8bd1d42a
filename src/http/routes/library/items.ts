import type { Items } from '../../../library/catalogue/index.ts';
import { withSeed } from '../../../library/catalogue/items/index.ts';
import { withoutLocale } from '../../../people/viewer/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import type { ResponseCache } from '../../response-cache.ts';
import { ItemListReply } from '../../../contract/resources/library/catalogue.ts';
import {
  DetailQuery,
  HiddenQuery,
  IdParams,
  NoContent,
} from '../../../contract/resources/schema-parts.ts';
import { shortPage } from '../../short-list.ts';
import {
  PartsQuery,
  ChaptersReply,
  ItemChanges,
  ItemReply,
  ItemsQuery,
  LanguagesQuery,
  LanguagesReply,
  LettersQuery,
  LettersReply,
  MonthsReply,
  PicturesReply,
  SimilarReply,
} from '../../../contract/resources/library/items.ts';

const tags = ['items'];
const reading = { access: 'guest', holdsNoSecret: true } as const;
const editing = { access: 'admin', allowsLibraryKeys: true } as const;

/** Items: what a person plays or reads in one go. */
export const itemRoutes: Routes<{ readonly items: Items; readonly cache: ResponseCache }> = async (
  app,
  { items, cache },
) => {
  app.get(
    '/api/items',
    {
      config: reading,
      schema: {
        operationId: 'listItems',
        summary: 'List items',
        tags,
        querystring: ItemsQuery,
        response: { 200: ItemListReply },
      },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      // A random order without a seed is another one each time, so it is not answered from the cache.
      const query = withSeed(request.query);
      const make = () =>
        query.fields === 'tile' ? items.tiles(viewer, query) : items.list(viewer, query);
      return cache.send(reply, { viewer, question: query, make });
    },
  );

  app.get(
    '/api/items/letters',
    {
      config: reading,
      schema: {
        operationId: 'getItemLetters',
        summary: 'Letters of the list of items by title',
        tags,
        querystring: LettersQuery,
        response: { 200: LettersReply },
      },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      const { query } = request;
      const make = async () => ({ letters: await items.letters(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  );

  app.get(
    '/api/items/languages',
    {
      config: reading,
      schema: {
        operationId: 'getItemLanguages',
        summary: 'Languages of the sound of items, for the filter `language`',
        tags,
        querystring: LanguagesQuery,
        response: { 200: LanguagesReply },
      },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      const { query } = request;
      const make = async () => ({ languages: await items.languages(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  );

  app.get(
    '/api/items/months',
    {
      config: reading,
      schema: {
        operationId: 'getItemMonths',
        summary:
          'Months of the list of items by date of release, of photos by the day they were taken',
        tags,
        querystring: LettersQuery,
        response: { 200: MonthsReply },
      },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      const { query } = request;
      const make = async () => ({ months: await items.months(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  );

  app.get(
    '/api/items/:id',
    {
      config: reading,
      schema: {
        operationId: 'getItem',
        summary: 'One item',
        tags,
        params: IdParams,
        querystring: DetailQuery,
        response: { 200: ItemReply },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const isStored = request.query.texts === 'stored';
      const reader = isStored ? withoutLocale(viewer) : viewer;
      return { item: await items.get(request.params.id, reader) };
    },
  );

  app.get(
    '/api/items/:id/similar',
    {
      config: reading,
      schema: {
        operationId: 'listSimilarItems',
        summary: 'Titles like an item, the most similar first',
        tags,
        params: IdParams,
        querystring: PartsQuery,
        response: { 200: SimilarReply },
      },
    },
    async (request) => {
      const similar = await items.similar(request.params.id, viewerOf(request));
      const { page, nextCursor } = shortPage(similar, request.query, ({ id }) => id);
      return { items: page, nextCursor };
    },
  );

  app.get(
    '/api/items/:id/chapters',
    {
      config: reading,
      schema: {
        operationId: 'listItemChapters',
        summary: 'Chapters of all files of an item',
        tags,
        params: IdParams,
        querystring: PartsQuery,
        response: { 200: ChaptersReply },
      },
    },
    async (request) => {
      const chapters = await items.chapters(request.params.id, viewerOf(request));
      const { page, nextCursor } = shortPage(chapters, request.query, ({ id }) => id);
      return { chapters: page, nextCursor };
    },
  );

  app.get(
    '/api/items/:id/pictures',
    {
      config: { ...editing, holdsNoSecret: true },
      schema: {
        operationId: 'listItemPictures',
        summary: 'All pictures that an item can show, also those that it does not show',
        tags,
        params: IdParams,
        querystring: PartsQuery,
        response: { 200: PicturesReply },
      },
    },
    async (request) => {
      const pictures = await items.pictures(request.params.id, viewerOf(request));
      const { page, nextCursor } = shortPage(pictures, request.query, ({ id }) => id);
      return { pictures: page, nextCursor };
    },
  );

  app.patch(
    '/api/items/:id',
    {
      config: editing,
      schema: {
        operationId: 'updateItem',
        summary: 'Edit an item; later scans keep the edits',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: ItemChanges,
        response: { 200: ItemReply },
      },
    },
    async (request) => ({
      item: await items.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/items/:id',
    {
      config: editing,
      schema: {
        operationId: 'deleteItem',
        summary: 'Remove an item until one of its files changes; the files stay',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await items.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
