import type { Backups } from '../../../operations/backups/index.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/operations/backups.ts';
import { routes } from '../../route.ts';
import { shortPage } from '../../short-list.ts';

const shared = { tag: 'backups', access: 'admin' } as const;

/** Backups: create, download, delete and restore. */
export const backupRoutes = routes<{
  readonly backups: Omit<Backups, 'createScheduled'>;
}>(shared, (route, { backups }) => {
  route('GET /api/backups', {
    operation: 'listBackups',
    summary: 'List backups, newest first',
    query: ShortListQuery,
    reply: schema.BackupsReply,
    handler: async ({ query }) => {
      const list = await backups.list();
      const { page, nextCursor } = shortPage(list, query, ({ filename }) => filename);
      return { backups: page, nextCursor };
    },
  });

  route('POST /api/backups', {
    operation: 'createBackup',
    summary: 'Make a backup; the answer comes after it was made and verified',
    body: schema.NewBackupBody,
    created: schema.BackupReply,
    handler: async ({ body, viewer }) => ({ backup: await backups.create(body ?? {}, viewer) }),
  });

  route('GET /api/backups/:filename', {
    isStream: true,
    exposeHeadRoute: false,
    operation: 'downloadBackup',
    summary: 'Download a backup',
    params: schema.BackupParams,
    reply: schema.BackupBytes,
    handler: async ({ params, viewer, reply }) => {
      const { backup, body } = await backups.open(params.filename, viewer);
      return reply
        .type('application/octet-stream')
        .headers({
          'content-length': backup.sizeBytes,
          'content-disposition': `attachment; filename="${backup.filename}"`,
          'cache-control': 'no-store',
        })
        .send(body);
    },
  });

  route('DELETE /api/backups/:filename', {
    operation: 'deleteBackup',
    summary: 'Delete a backup',
    params: schema.BackupParams,
    handler: ({ params, viewer }) => backups.remove(params.filename, viewer),
  });

  route('POST /api/backups/:filename/restore', {
    operation: 'restoreBackup',
    summary: 'Restore a backup: the server verifies it and restarts with it',
    params: schema.BackupParams,
    reply: schema.BackupReply,
    handler: async ({ params, viewer }) => ({
      backup: await backups.restore(params.filename, viewer),
    }),
  });
});
