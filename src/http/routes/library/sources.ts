import type { Sources } from '../../../library/matching/index.ts';
import * as schema from '../../../contract/resources/library/sources.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'libraries', access: 'admin', allowsLibraryKeys: true } as const;

/** Which source of metadata wins in a library. */
export const sourceRoutes = routes<{ readonly sources: Sources }>(shared, (route, { sources }) => {
  route('GET /api/libraries/:id/sources', {
    holdsNoSecret: true,
    operation: 'getLibrarySources',
    summary: 'Which sources of metadata win in a library',
    reply: schema.SourcesReply,
    handler: ({ params, viewer }) => sources.get(params.id, viewer),
  });

  route('PUT /api/libraries/:id/sources', {
    operation: 'setLibrarySources',
    summary: 'Put the sources of a library in order; the job merges again what is kept',
    body: schema.SourcesChange,
    reply: schema.SourcesChangedReply,
    handler: ({ params, body, viewer }) => sources.set(params.id, viewer, body),
  });
});
