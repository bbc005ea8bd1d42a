import type { Held } from '../../../library/catalogue/index.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams } from '../../../contract/resources/schema-parts.ts';
import {
  HeldQuery,
  HiddenEntitiesReply,
  RemovedFiles,
  RemovedFilesReply,
  RestoredReply,
  UnreadFilesReply,
} from '../../../contract/resources/library/held.ts';

const tags = ['libraries'];
const ofLibrary = { access: 'admin', allowsLibraryKeys: true } as const;
const reading = { ...ofLibrary, holdsNoSecret: true } as const;
const params = IdParams;
const querystring = HeldQuery;

/** What a library holds and does not show: for admins, who make it readable or show it again. */
export const heldRoutes: Routes<{
  readonly held: Held;
  readonly jobs: Pick<Jobs, 'enqueue'>;
}> = async (app, { held, jobs }) => {
  app.get(
    '/api/libraries/:id/unread-files',
    {
      config: reading,
      schema: {
        operationId: 'listUnreadFiles',
        summary: 'Files of a library that could not be read',
        tags,
        params,
        querystring,
        response: { 200: UnreadFilesReply },
      },
    },
    async (request) => {
      const { params, query } = request;
      const page = await held.unreadFiles(params.id, viewerOf(request), query);
      return { files: page.entries, nextCursor: page.nextCursor };
    },
  );

  app.get(
    '/api/libraries/:id/removed-files',
    {
      config: reading,
      schema: {
        operationId: 'listRemovedFiles',
        summary: 'Files of items that were removed from a library',
        tags,
        params,
        querystring,
        response: { 200: RemovedFilesReply },
      },
    },
    async (request) => {
      const { params, query } = request;
      const page = await held.removedFiles(params.id, viewerOf(request), query);
      return { files: page.entries, nextCursor: page.nextCursor };
    },
  );

  app.post(
    '/api/libraries/:id/removed-files/restore',
    {
      config: ofLibrary,
      schema: {
        operationId: 'restoreRemovedFiles',
        summary: 'Show removed files again; the scan makes items of them, without earlier edits',
        tags,
        params,
        body: RemovedFiles,
        response: { 201: RestoredReply },
      },
    },
    async (request, reply) => {
      const { id: libraryId } = request.params;
      const viewer = viewerOf(request);
      await held.restore(libraryId, request.body.fileIds, viewer);
      return reply.code(201).send({ job: await jobs.enqueue({ type: 'scan', libraryId }, viewer) });
    },
  );

  app.get(
    '/api/libraries/:id/hidden-entities',
    {
      // An entity belongs to all libraries, so an admin of some libraries cannot show it again.
      config: { access: 'admin', holdsNoSecret: true },
      schema: {
        operationId: 'listHiddenEntities',
        summary: 'Hidden people, shows, genres and others with items in a library',
        tags,
        params,
        querystring,
        response: { 200: HiddenEntitiesReply },
      },
    },
    async (request) => {
      const { params, query } = request;
      const page = await held.hiddenEntities(params.id, viewerOf(request), query);
      return { entities: page.entries, nextCursor: page.nextCursor };
    },
  );
};
