import type { Ingestion } from '../../../library/ingestion/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import { JobReply } from '../../../contract/resources/operations/jobs.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'items', access: 'admin', allowsLibraryKeys: true } as const;

/** Refreshing: the metadata of an item is read again from its files and the indexers. */
export const refreshRoutes = routes<{
  readonly ingestion: Pick<Ingestion, 'refreshItem'>;
}>(shared, (route, { ingestion }) => {
  route('POST /api/items/:id/refresh', {
    operation: 'refreshItem',
    summary: 'Ingest the files of an item again; edits stay',
    query: HiddenQuery,
    created: JobReply,
    handler: async ({ params, viewer }) => ({
      job: await ingestion.refreshItem(params.id, viewer),
    }),
  });
});
