import { shortPage } from '../../short-list.ts';
import type { Backups } from '../../../operations/backups/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import {
  BackupBytes,
  BackupParams,
  BackupReply,
  BackupsReply,
  NewBackupBody,
} from '../../../contract/resources/operations/backups.ts';

const tags = ['backups'];
const config = { access: 'admin' } as const;
const params = BackupParams;

/** Backups: create, download, delete and restore. */
export const backupRoutes: Routes<{
  readonly backups: Omit<Backups, 'createScheduled'>;
}> = async (app, { backups }) => {
  app.get(
    '/api/backups',
    {
      config,
      schema: {
        operationId: 'listBackups',
        summary: 'List backups, newest first',
        tags,
        querystring: ShortListQuery,
        response: { 200: BackupsReply },
      },
    },
    async (request) => {
      const list = await backups.list();
      const { page, nextCursor } = shortPage(list, request.query, ({ filename }) => filename);
      return { backups: page, nextCursor };
    },
  );

  app.post(
    '/api/backups',
    {
      config,
      schema: {
        operationId: 'createBackup',
        summary: 'Make a backup; the answer comes after it was made and verified',
        tags,
        body: NewBackupBody,
        response: { 201: BackupReply },
      },
    },
    async (request, reply) => {
      const backup = await backups.create(request.body ?? {}, viewerOf(request));
      return reply.code(201).send({ backup });
    },
  );

  app.get(
    '/api/backups/:filename',
    {
      config: { ...config, isStream: true },
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadBackup',
        summary: 'Download a backup',
        tags,
        params,
        response: { 200: BackupBytes },
      },
    },
    async (request, reply) => {
      const { backup, body } = await backups.open(request.params.filename, viewerOf(request));
      return reply
        .type('application/octet-stream')
        .headers({
          'content-length': backup.sizeBytes,
          'content-disposition': `attachment; filename="${backup.filename}"`,
          'cache-control': 'no-store',
        })
        .send(body);
    },
  );

  app.delete(
    '/api/backups/:filename',
    {
      config,
      schema: {
        operationId: 'deleteBackup',
        summary: 'Delete a backup',
        tags,
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await backups.remove(request.params.filename, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/backups/:filename/restore',
    {
      config,
      schema: {
        operationId: 'restoreBackup',
        summary: 'Restore a backup: the server verifies it and restarts with it',
        tags,
        params,
        response: { 200: BackupReply },
      },
    },
    async (request) => ({
      backup: await backups.restore(request.params.filename, viewerOf(request)),
    }),
  );
};
