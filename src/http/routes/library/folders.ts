import type { Folders } from '../../../files/folders/index.ts';
import { shortPage } from '../../short-list.ts';
import type { Routes } from '../../http-app.ts';
import { FoldersQuery, FoldersReply } from '../../../contract/resources/library/folders.ts';

/** The folders of the machine, for admins of the whole server, who choose those of libraries. */
export const folderRoutes: Routes<{ readonly folders: Folders }> = async (app, { folders }) => {
  app.get(
    '/api/folders',
    {
      config: { access: 'admin', holdsNoSecret: true },
      schema: {
        operationId: 'listFolders',
        summary: 'Folders in a folder of the server, by name, for choosing those of a library',
        tags: ['libraries'],
        querystring: FoldersQuery,
        response: { 200: FoldersReply },
      },
    },
    async ({ query }) => {
      const { folders: all, ...about } = await folders.list(query.path);
      const { page, nextCursor } = shortPage(all, query, ({ path }) => path);
      return { ...about, folders: page, nextCursor };
    },
  );
};
