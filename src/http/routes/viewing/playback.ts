import type { Playback } from '../../../viewing/playback/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { ItemsReply } from '../../../contract/resources/library/catalogue.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  PlaybackBody,
  PlaybackListQuery,
  PlaybackReply,
  WatchedBody,
  WatchedReply,
} from '../../../contract/resources/viewing/playback.ts';

const tags = ['playback'];
const reading = { access: 'guest', holdsNoSecret: true } as const;
const keeping = { access: 'user', writes: 'often' } as const;

/** Playback states of the viewer's profile, what it started, and its next episodes. */
export const playbackRoutes: Routes<{ readonly playback: Playback }> = async (
  app,
  { playback },
) => {
  app.get(
    '/api/items/:id/playback',
    {
      config: reading,
      schema: {
        operationId: 'getPlayback',
        summary: 'The playback state of an item for the profile',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        response: { 200: PlaybackReply },
      },
    },
    async (request) => ({ playback: await playback.get(request.params.id, viewerOf(request)) }),
  );

  app.put(
    '/api/items/:id/playback',
    {
      config: keeping,
      schema: {
        operationId: 'setPlayback',
        summary: 'Set the playback state; players do so every few seconds',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: PlaybackBody,
        response: { 200: PlaybackReply },
      },
    },
    async (request) => ({
      playback: await playback.put(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/items/:id/playback',
    {
      config: keeping,
      schema: {
        operationId: 'resetPlayback',
        summary: 'Take an item out of what is to be continued; its count of plays is kept',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await playback.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.put(
    '/api/items/:id/watched',
    {
      config: keeping,
      schema: {
        operationId: 'setItemWatched',
        summary: 'Mark an item as watched, or forget that it was',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: WatchedBody,
        response: { 200: PlaybackReply },
      },
    },
    async (request) => {
      const { params, body } = request;
      return { playback: await playback.setWatched(params.id, body.watched, viewerOf(request)) };
    },
  );

  app.put(
    '/api/entities/:id/watched',
    {
      config: keeping,
      schema: {
        operationId: 'setEntityWatched',
        summary: 'Mark all items of an entity, such as a show or a season, as watched or not',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: WatchedBody,
        response: { 200: WatchedReply },
      },
    },
    async (request) => {
      const { params, body } = request;
      const changed = await playback.setWatchedEntity(params.id, body.watched, viewerOf(request));
      return { changed };
    },
  );

  app.get(
    '/api/continue-watching',
    {
      config: reading,
      schema: {
        operationId: 'listContinueWatching',
        summary: 'What the profile started and did not finish, the latest first',
        tags,
        querystring: PlaybackListQuery,
        response: { 200: ItemsReply },
      },
    },
    (request) => playback.continueWatching(viewerOf(request), request.query),
  );

  app.get(
    '/api/next-up',
    {
      config: reading,
      schema: {
        operationId: 'listNextUp',
        summary: 'The next episode of each show that the profile watches, the latest show first',
        tags,
        querystring: PlaybackListQuery,
        response: { 200: ItemsReply },
      },
    },
    (request) => playback.nextUp(viewerOf(request), request.query),
  );
};
