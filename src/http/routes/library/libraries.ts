import { shortPage } from '../../short-list.ts';
import { KernelError } from '../../../../kernel/index.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import type { Libraries } from '../../../library/catalogue/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  LibrariesQuery,
  LibrariesReply,
  LibraryChanges,
  LibraryReply,
  NewLibrary,
  NewLibraryReply,
} from '../../../contract/resources/library/libraries.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';

const tags = ['libraries'];
const reading = { access: 'guest', holdsNoSecret: true } as const;
/** For admins of the whole server: a root decides which folders of the disk are read. */
const editing = { access: 'admin' } as const;

const idOf = ({ id }: Job): string => id;

/** The library exists anyway; the next scan of all libraries covers it. */
function full(error: unknown): null {
  if (error instanceof KernelError && error.code === 'overloaded') return null;
  throw error;
}

/** Libraries: folders of one type of media. */
export const libraryRoutes: Routes<{
  readonly libraries: Libraries;
  readonly jobs: Pick<Jobs, 'anticipate'>;
}> = async (app, { libraries, jobs }) => {
  app.get(
    '/api/libraries',
    {
      config: reading,
      schema: {
        operationId: 'listLibraries',
        summary: 'List libraries, by name',
        tags,
        querystring: LibrariesQuery,
        response: { 200: LibrariesReply },
      },
    },
    async (request) => {
      const list = await libraries.list(viewerOf(request));
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { libraries: page, nextCursor };
    },
  );

  app.post(
    '/api/libraries',
    {
      config: editing,
      schema: {
        operationId: 'createLibrary',
        summary: 'Create a library; the scan with the jobId fills it',
        tags,
        body: NewLibrary,
        response: { 201: NewLibraryReply },
      },
    },
    async (request, reply) => {
      const library = await libraries.create(request.body, viewerOf(request));
      const jobId = await jobs.anticipate({ type: 'scan', libraryId: library.id }).then(idOf, full);
      return reply.code(201).send({ library, jobId });
    },
  );

  app.get(
    '/api/libraries/:id',
    {
      config: reading,
      schema: {
        operationId: 'getLibrary',
        summary: 'One library',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        response: { 200: LibraryReply },
      },
    },
    async (request) => ({ library: await libraries.get(request.params.id, viewerOf(request)) }),
  );

  app.patch(
    '/api/libraries/:id',
    {
      config: editing,
      schema: {
        operationId: 'updateLibrary',
        summary: 'Change a library',
        tags,
        params: IdParams,
        body: LibraryChanges,
        response: { 200: LibraryReply },
      },
    },
    async (request) => ({
      library: await libraries.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/libraries/:id',
    {
      config: editing,
      schema: {
        operationId: 'deleteLibrary',
        summary: 'Remove a library and its items; the files stay',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await libraries.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
