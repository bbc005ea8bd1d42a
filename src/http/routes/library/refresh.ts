import type { Ingestion } from '../../../library/ingestion/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams } from '../../../contract/resources/schema-parts.ts';
import { RefreshReply } from '../../../contract/resources/library/refresh.ts';

/** Refreshing: the metadata of an item is read again from its files and the indexers. */
export const refreshRoutes: Routes<{ readonly ingestion: Pick<Ingestion, 'refreshItem'> }> = async (
  app,
  { ingestion },
) => {
  app.post(
    '/api/items/:id/refresh',
    {
      config: { access: 'admin', allowsLibraryKeys: true },
      schema: {
        operationId: 'refreshItem',
        summary: 'Ingest the files of an item again; edits stay',
        tags: ['items'],
        params: IdParams,
        querystring: HiddenQuery,
        response: { 201: RefreshReply },
      },
    },
    async (request, reply) => {
      const job = await ingestion.refreshItem(request.params.id, viewerOf(request));
      return reply.code(201).send({ job });
    },
  );
};
