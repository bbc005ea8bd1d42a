import { KernelError } from '../../../../kernel/index.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import type { Libraries } from '../../../library/catalogue/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/libraries.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';

/** For admins of the whole server: a root decides which folders of the disk are read. */
const shared = { tag: 'libraries', access: 'admin' } as const;
const reading = { access: 'guest', holdsNoSecret: true } as const;

const idOf = ({ id }: Job): string => id;

/** The library exists anyway; the next scan of all libraries covers it. */
function full(error: unknown): null {
  if (error instanceof KernelError && error.code === 'overloaded') return null;
  throw error;
}

/** Libraries: folders of one type of media. */
export const libraryRoutes = routes<{
  readonly libraries: Libraries;
  readonly jobs: Pick<Jobs, 'anticipate'>;
}>(shared, (route, { libraries, jobs }) => {
  route('GET /api/libraries', {
    ...reading,
    operation: 'listLibraries',
    summary: 'List libraries, by name',
    query: schema.LibrariesQuery,
    reply: schema.LibrariesReply,
    handler: async ({ query, viewer }) =>
      shortReply('libraries', await libraries.list(viewer), query),
  });

  route('POST /api/libraries', {
    operation: 'createLibrary',
    summary: 'Create a library; the scan with the jobId fills it',
    body: schema.NewLibrary,
    created: schema.NewLibraryReply,
    handler: async ({ body, viewer }) => {
      const library = await libraries.create(body, viewer);
      const jobId = await jobs.anticipate({ type: 'scan', libraryId: library.id }).then(idOf, full);
      return { library, jobId };
    },
  });

  route('GET /api/libraries/:id', {
    ...reading,
    operation: 'getLibrary',
    summary: 'One library',
    query: HiddenQuery,
    reply: schema.LibraryReply,
    handler: async ({ params, viewer }) => ({ library: await libraries.get(params.id, viewer) }),
  });

  route('PATCH /api/libraries/:id', {
    operation: 'updateLibrary',
    summary: 'Change a library',
    body: schema.LibraryChanges,
    reply: schema.LibraryReply,
    handler: async ({ params, body, viewer }) => ({
      library: await libraries.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/libraries/:id', {
    operation: 'deleteLibrary',
    summary: 'Remove a library and its items; the files stay',
    handler: ({ params, viewer }) => libraries.remove(params.id, viewer),
  });
});
