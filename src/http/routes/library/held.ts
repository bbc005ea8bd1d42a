import type { Held } from '../../../library/catalogue/index.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import * as schema from '../../../contract/resources/library/held.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'libraries', access: 'admin' } as const;
const reading = { allowsLibraryKeys: true, holdsNoSecret: true } as const;

/** What a library holds and does not show: for admins, who make it readable or show it again. */
export const heldRoutes = routes<{
  readonly held: Held;
  readonly jobs: Pick<Jobs, 'enqueue'>;
}>(shared, (route, { held, jobs }) => {
  route('GET /api/libraries/:id/unread-files', {
    ...reading,
    operation: 'listUnreadFiles',
    summary: 'Files of a library that could not be read',
    query: schema.HeldQuery,
    reply: schema.UnreadFilesReply,
    handler: async ({ params, query, viewer }) => {
      const page = await held.unreadFiles(params.id, viewer, query);
      return { files: page.entries, nextCursor: page.nextCursor };
    },
  });

  route('GET /api/libraries/:id/removed-files', {
    ...reading,
    operation: 'listRemovedFiles',
    summary: 'Files of items that were removed from a library',
    query: schema.HeldQuery,
    reply: schema.RemovedFilesReply,
    handler: async ({ params, query, viewer }) => {
      const page = await held.removedFiles(params.id, viewer, query);
      return { files: page.entries, nextCursor: page.nextCursor };
    },
  });

  route('POST /api/libraries/:id/removed-files/restore', {
    allowsLibraryKeys: true,
    operation: 'restoreRemovedFiles',
    summary: 'Show removed files again; the scan makes items of them, without earlier edits',
    body: schema.RemovedFiles,
    created: schema.RestoredReply,
    handler: async ({ params, body, viewer }) => {
      const { id: libraryId } = params;
      await held.restore(libraryId, body.fileIds, viewer);
      return { job: await jobs.enqueue({ type: 'scan', libraryId }, viewer) };
    },
  });

  route('GET /api/libraries/:id/hidden-entities', {
    // An entity belongs to all libraries, so an admin of some libraries cannot show it again.
    holdsNoSecret: true,
    operation: 'listHiddenEntities',
    summary: 'Hidden people, shows, genres and others with items in a library',
    query: schema.HeldQuery,
    reply: schema.HiddenEntitiesReply,
    handler: async ({ params, query, viewer }) => {
      const page = await held.hiddenEntities(params.id, viewer, query);
      return { entities: page.entries, nextCursor: page.nextCursor };
    },
  });
});
