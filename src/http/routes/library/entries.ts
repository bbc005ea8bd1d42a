import type { Entries } from '../../../viewing/collections/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/entries.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'collections', access: 'user' } as const;

/** Entries of playlists. */
export const entryRoutes = routes<{ readonly entries: Entries }>(shared, (route, { entries }) => {
  route('GET /api/collections/:id/entries', {
    access: 'guest',
    holdsNoSecret: true,
    operation: 'listPlaylistEntries',
    summary: 'Entries of a playlist, in its order',
    query: schema.EntriesQuery,
    reply: schema.EntriesReply,
    handler: ({ params, query, viewer }) => entries.list(params.id, viewer, query),
  });

  route('POST /api/collections/:id/entries', {
    writes: 'often',
    operation: 'addPlaylistEntries',
    summary: 'Add items to a playlist, at a place or at the end',
    query: HiddenQuery,
    body: schema.NewEntries,
    created: schema.AddedEntriesReply,
    handler: async ({ params, body, viewer }) => ({
      entries: await entries.add(params.id, body, viewer),
    }),
  });

  route('PATCH /api/collections/:id/entries/:entryId', {
    writes: 'often',
    operation: 'updatePlaylistEntry',
    summary: 'Move an entry of a playlist',
    query: HiddenQuery,
    body: schema.EntryMove,
    reply: schema.EntryReply,
    handler: async ({ params: { id, entryId }, body: { position }, viewer }) => ({
      entry: await entries.move(id, { entryId, position }, viewer),
    }),
  });

  route('DELETE /api/collections/:id/entries/:entryId', {
    writes: 'often',
    operation: 'removePlaylistEntry',
    summary: 'Remove an entry of a playlist',
    handler: ({ params, viewer }) => entries.remove(params.id, params.entryId, viewer),
  });
});
