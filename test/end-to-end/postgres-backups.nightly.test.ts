/** A server on PostgreSQL is backed up while it runs, and restored while it does not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vitrine } from '../support/run/vitrine-command.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import {
  hasPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/storage/postgres.ts';

describe.skipIf(!hasPostgres())('a backup of PostgreSQL (needs PostgreSQL)', () => {
  let database: TemporaryDatabase;
  let server: TestServer;
  let root: string;
  const folder = (): Promise<string> => mkdtemp(path.join(root, 'data-'));

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'vitrine-pg-backups-'));
    database = await temporaryDatabase();
    server = await startServer({ data: await folder(), database: database.url });
  });

  afterAll(async () => {
    await server?.stop();
    await database?.remove();
    await rm(root, { recursive: true, force: true });
  });

  const names = async (): Promise<readonly string[]> => {
    const { users } = await server.get<{ users: readonly { name: string }[] }>('/api/users');
    return users.map(({ name }) => name).sort();
  };
  const join = (name: string) =>
    server.request('POST', '/api/users', { name, password: 'correct horse battery', role: 'user' });

  test('holds the database, is read back, and comes back while no server uses the database', async () => {
    await join('Ada');
    const { status, body } = await server.request('POST', '/api/backups', { label: 'before' });
    expect(status).toBe(201);
    const { filename } = (body as { backup: { filename: string } }).backup;
    const file = path.join(server.data, 'backups', filename);
    const verified = await vitrine('backup', 'verify', file);
    await join('Bert');
    const places = ['--data', server.data, '--database', database.url];
    const elsewhere = ['--data', await folder(), '--database', database.url];
    const early = await vitrine('backup', 'restore', file, ...elsewhere);
    await server.stop();

    const restored = await vitrine('backup', 'restore', file, ...places);
    server = await startServer({ data: server.data, database: database.url });

    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^Intact: made/)]);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('stop all servers')]);
    expect([restored.code, restored.stdout]).toEqual([
      0,
      expect.stringMatching(/is in place\. The data that it replaced is in .*before-restore-/),
    ]);
    expect(await names()).toEqual(['Ada', 'admin']);
    const { problems } = await server.get<{ problems: readonly object[] }>('/api/health');
    expect(problems).toEqual([]);
  });

  test('is made by the command too, and a server on SQLite refuses it by name', async () => {
    const made = await vitrine(
      'backup',
      'create',
      '--data',
      server.data,
      '--database',
      database.url,
    );
    const other = await folder();
    const refused = await vitrine('backup', 'restore', made.stdout.trim(), '--data', other);

    expect(made.code).toBe(0);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('a database of PostgreSQL: give the url of one with --database'),
    ]);
  });
});
