import type { Folders } from '../../../files/folders/index.ts';
import * as schema from '../../../contract/resources/library/folders.ts';
import { routes } from '../../route.ts';
import { shortPage } from '../../short-list.ts';

const shared = { tag: 'libraries', access: 'admin', holdsNoSecret: true } as const;

/** The folders of the machine, for admins of the whole server, who choose those of libraries. */
export const folderRoutes = routes<{ readonly folders: Folders }>(shared, (route, { folders }) => {
  route('GET /api/folders', {
    operation: 'listFolders',
    summary: 'Folders in a folder of the server, by name, for choosing those of a library',
    query: schema.FoldersQuery,
    reply: schema.FoldersReply,
    handler: async ({ query }) => {
      const { folders: all, ...about } = await folders.list(query.path);
      const { page, nextCursor } = shortPage(all, query, ({ path }) => path);
      return { ...about, folders: page, nextCursor };
    },
  });
});
