import type { Sources } from '../../../library/matching/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams } from '../../../contract/resources/schema-parts.ts';
import {
  SourcesChange,
  SourcesChangedReply,
  SourcesReply,
} from '../../../contract/resources/library/sources.ts';

const tags = ['libraries'];
const config = { access: 'admin', allowsLibraryKeys: true } as const;
const params = IdParams;

/** Which source of metadata wins in a library. */
export const sourceRoutes: Routes<{ readonly sources: Sources }> = async (app, { sources }) => {
  app.get(
    '/api/libraries/:id/sources',
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'getLibrarySources',
        summary: 'Which sources of metadata win in a library',
        tags,
        params,
        response: { 200: SourcesReply },
      },
    },
    (request) => sources.get(request.params.id, viewerOf(request)),
  );

  app.put(
    '/api/libraries/:id/sources',
    {
      config,
      schema: {
        operationId: 'setLibrarySources',
        summary: 'Put the sources of a library in order; the job merges again what is kept',
        tags,
        params,
        body: SourcesChange,
        response: { 200: SourcesChangedReply },
      },
    },
    (request) => sources.set(request.params.id, viewerOf(request), request.body),
  );
};
