import type { Playback } from '../../../viewing/playback/index.ts';
import { ItemsReply } from '../../../contract/resources/library/catalogue.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/viewing/playback.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'playback', access: 'user' } as const;
const reading = { access: 'guest', holdsNoSecret: true } as const;

/** Playback states of the viewer's profile, what it started, and its next episodes. */
export const playbackRoutes = routes<{
  readonly playback: Playback;
}>(shared, (route, { playback }) => {
  route('GET /api/items/:id/playback', {
    ...reading,
    operation: 'getPlayback',
    summary: 'The playback state of an item for the profile',
    query: HiddenQuery,
    reply: schema.PlaybackReply,
    handler: async ({ params, viewer }) => ({ playback: await playback.get(params.id, viewer) }),
  });

  route('PUT /api/items/:id/playback', {
    writes: 'often',
    operation: 'setPlayback',
    summary: 'Set the playback state; players do so every few seconds',
    query: HiddenQuery,
    body: schema.PlaybackBody,
    reply: schema.PlaybackReply,
    handler: async ({ params, body, viewer }) => ({
      playback: await playback.put(params.id, body, viewer),
    }),
  });

  route('DELETE /api/items/:id/playback', {
    writes: 'often',
    operation: 'resetPlayback',
    summary: 'Take an item out of what is to be continued; its count of plays is kept',
    query: HiddenQuery,
    handler: ({ params, viewer }) => playback.remove(params.id, viewer),
  });

  route('PUT /api/items/:id/watched', {
    writes: 'often',
    operation: 'setItemWatched',
    summary: 'Mark an item as watched, or forget that it was',
    query: HiddenQuery,
    body: schema.WatchedBody,
    reply: schema.PlaybackReply,
    handler: async ({ params, body, viewer }) => ({
      playback: await playback.setWatched(params.id, body.watched, viewer),
    }),
  });

  route('PUT /api/entities/:id/watched', {
    writes: 'often',
    operation: 'setEntityWatched',
    summary: 'Mark all items of an entity, such as a show or a season, as watched or not',
    query: HiddenQuery,
    body: schema.WatchedBody,
    reply: schema.WatchedReply,
    handler: async ({ params, body, viewer }) => ({
      changed: await playback.setWatchedEntity(params.id, body.watched, viewer),
    }),
  });

  route('GET /api/continue-watching', {
    ...reading,
    operation: 'listContinueWatching',
    summary: 'What the profile started and did not finish, the latest first',
    query: schema.PlaybackListQuery,
    reply: ItemsReply,
    handler: ({ query, viewer }) => playback.continueWatching(viewer, query),
  });

  route('GET /api/next-up', {
    ...reading,
    operation: 'listNextUp',
    summary: 'The next episode of each show that the profile watches, the latest show first',
    query: schema.PlaybackListQuery,
    reply: ItemsReply,
    handler: ({ query, viewer }) => playback.nextUp(viewer, query),
  });
});
