import type { Entries } from '../../../viewing/collections/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  AddedEntriesReply,
  EntriesQuery,
  EntriesReply,
  EntryMove,
  EntryParams,
  EntryReply,
  NewEntries,
} from '../../../contract/resources/library/entries.ts';

const tags = ['collections'];
const owning = { access: 'user', writes: 'often' } as const;

/** Entries of playlists. */
export const entryRoutes: Routes<{ readonly entries: Entries }> = async (app, { entries }) => {
  app.get(
    '/api/collections/:id/entries',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'listPlaylistEntries',
        summary: 'Entries of a playlist, in its order',
        tags,
        params: IdParams,
        querystring: EntriesQuery,
        response: { 200: EntriesReply },
      },
    },
    (request) => entries.list(request.params.id, viewerOf(request), request.query),
  );

  app.post(
    '/api/collections/:id/entries',
    {
      config: owning,
      schema: {
        operationId: 'addPlaylistEntries',
        summary: 'Add items to a playlist, at a place or at the end',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: NewEntries,
        response: { 201: AddedEntriesReply },
      },
    },
    async (request, reply) => {
      const added = await entries.add(request.params.id, request.body, viewerOf(request));
      return reply.code(201).send({ entries: added });
    },
  );

  app.patch(
    '/api/collections/:id/entries/:entryId',
    {
      config: owning,
      schema: {
        operationId: 'updatePlaylistEntry',
        summary: 'Move an entry of a playlist',
        tags,
        params: EntryParams,
        querystring: HiddenQuery,
        body: EntryMove,
        response: { 200: EntryReply },
      },
    },
    async (request) => {
      const { id, entryId } = request.params;
      const moved = { entryId, position: request.body.position };
      return { entry: await entries.move(id, moved, viewerOf(request)) };
    },
  );

  app.delete(
    '/api/collections/:id/entries/:entryId',
    {
      config: owning,
      schema: {
        operationId: 'removePlaylistEntry',
        summary: 'Remove an entry of a playlist',
        tags,
        params: EntryParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id, entryId } = request.params;
      await entries.remove(id, entryId, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
