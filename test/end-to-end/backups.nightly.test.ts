/** A server is backed up while it scans, goes on, and is put back: by a real process over a real disk. */
import { copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { vitrine } from '../support/run/vitrine-command.ts';
import { isOverPostgres } from '../support/storage/postgres.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';
import type { Backup } from '../../src/contract/resources/operations/backups.ts';

const films = Array.from({ length: 60 }, (_, no) => `Film ${no} (1999)/Film ${no} (1999).mkv`);

let media: MediaTree;
let server: TestServer;

beforeAll(async () => {
  media = await createMediaTree(films);
  server = await startServer({ args: ['--library', `movies:Films:${media.path}`] });
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await media.remove();
});

const backUp = async (label: string): Promise<Backup> => {
  const { status, body } = await server.request('POST', '/api/backups', { label });
  expect(status).toBe(201);
  return (body as { backup: Backup }).backup;
};

const fileOf = ({ filename }: Backup): string => path.join(server.data, 'backups', filename);

const libraryNames = async (): Promise<readonly string[]> =>
  (await server.get<{ libraries: { name: string }[] }>('/api/libraries')).libraries.map(
    ({ name }) => name,
  );

const aside = async (): Promise<readonly string[]> =>
  (await readdir(server.data)).filter((name) => name.startsWith('before-restore-'));

const listensAgain = (times: number): Promise<void> =>
  until(
    'the server listens again',
    async () => server.output().split('Vitrine listening on').length > times,
  );

interface AuditList {
  readonly entries: readonly { readonly action: string; readonly hash: string }[];
}

const [password, newPassword] = ['correct horse battery', 'another horse battery'];

async function newUser(name: string): Promise<string> {
  const { body } = await server.request('POST', '/api/users', { name, password, role: 'user' });
  return (body as { user: { id: string } }).user.id;
}

async function login(name: string, secret: string) {
  return fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: secret }),
  });
}

const signIn = async (name: string, secret: string): Promise<number> =>
  (await login(name, secret)).status;

const sessionOf = async (name: string): Promise<string> =>
  ((await (await login(name, password)).json()) as { sessionToken: string }).sessionToken;

const statusWith = async (token: string): Promise<number> =>
  (await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } }))
    .status;

describe.skipIf(isOverPostgres)('a backup (needs SQLite)', () => {
  test('a backup is taken while a scan runs, and listed with what the specification names', async () => {
    const [backup] = await Promise.all([
      backUp('while it scans'),
      server.request('POST', '/api/jobs', { type: 'scan' }),
    ]);
    await jobsOver(server);

    expect(backup).toEqual({
      filename: expect.stringMatching(/^vitrine-\d{8}T\d{9}Z-while-it-scans\.vbackup$/) as string,
      path: path.join('backups', backup.filename),
      sizeBytes: (await stat(fileOf(backup))).size,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect((await server.get<{ backups: Backup[] }>('/api/backups')).backups).toEqual([backup]);
  });

  test('what is fetched is the file, to the byte, and whole', async () => {
    const backup = await backUp('to fetch');
    const reply = await fetch(`${server.url}/api/backups/${backup.filename}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const copy = path.join(server.data, 'fetched.vbackup');
    await writeFile(copy, new Uint8Array(await reply.arrayBuffer()));

    expect((await stat(copy)).size).toBe(backup.sizeBytes);
    const { stdout } = await vitrine('backup', 'verify', copy);
    expect(stdout).toMatch(/^Intact: made .* \(to fetch\), \d+ files/);
    await rm(copy);
  });

  test('a restore brings everything back as it was, on the same address, and keeps the rest aside', async () => {
    const before = (await allItems(server)).map(({ id }) => id).sort();
    expect(before).toHaveLength(films.length);
    const backup = await backUp('before');
    const library = (await server.get<{ libraries: { id: string }[] }>('/api/libraries'))
      .libraries[0];
    await server.request('DELETE', `/api/libraries/${library?.id ?? ''}`);
    expect(await libraryNames()).toEqual([]);

    const { status } = await server.request('POST', `/api/backups/${backup.filename}/restore`);
    expect(status).toBe(200);
    await listensAgain(2);

    expect(await libraryNames()).toEqual(['Films']);
    expect((await allItems(server)).map(({ id }) => id).sort()).toEqual(before);
    expect(await aside()).toHaveLength(1);
    expect(await readdir(server.data)).not.toContain('restore.json');
  });

  test('a restore takes no trace away, and gives nothing back that was taken back since the backup', async () => {
    const [kid, pat, rex] = [await newUser('kid'), await newUser('pat'), await newUser('rex')];
    const sessions = [await sessionOf('kid'), await sessionOf('pat')];
    const { apiKey, token: keyToken } = (
      await server.request('POST', '/api/api-keys', { name: 'Old phone' })
    ).body as { apiKey: { id: string }; token: string };
    const backup = await backUp('clean');
    await server.request('DELETE', `/api/api-keys/${apiKey.id}`);
    await server.request('PATCH', `/api/users/${kid}`, { disabled: true });
    await server.request('POST', `/api/users/${pat}/password`, { password: newPassword });
    await server.request('DELETE', `/api/users/${rex}`);
    const { head } = await server.get<{ head: { seq: number; hash: string } }>('/api/audit');

    await server.request('POST', `/api/backups/${backup.filename}/restore`);
    await listensAgain(3);

    const { entries } = await server.get<AuditList>('/api/audit?limit=200');
    expect(entries.map(({ action }) => action).reverse()).toEqual(
      expect.arrayContaining([
        'backup.created',
        'api_key.removed',
        'user.updated',
        'user.password_reset',
        'user.removed',
        'backup.restoring',
        'backup.restored',
      ]),
    );
    expect(entries.find(({ action }) => action === 'backup.restored')).toMatchObject({
      actor: { credentialKind: 'api-key' },
      address: '127.0.0.1',
      details: {
        filename: backup.filename,
        oldHeadSeq: head.seq + 1,
        oldHeadHash: entries.find(({ action }) => action === 'backup.restoring')?.hash,
      },
    });
    const flags = ['--data', server.data, '--head', head.hash];
    expect((await vitrine('audit', 'verify', ...flags)).stdout).toMatch(
      /^The audit log is intact: .*\nRestored backups: 2\./,
    );
    for (const token of [keyToken, ...sessions]) expect(await statusWith(token)).toBe(401);
    expect(await signIn('pat', password)).toBe(401);
    expect(await signIn('pat', newPassword)).toBe(200);
    for (const name of ['kid', 'rex']) expect(await signIn(name, password)).toBe(403);
    const { notifications } = await server.get<{ notifications: readonly unknown[] }>(
      '/api/notifications',
    );
    expect(notifications).toContainEqual(
      expect.objectContaining({
        title: `The backup ${backup.filename} was restored`,
        message: expect.stringMatching(
          /disabled: kid, pat, rex\.\nAPI keys .*: Old phone\./,
        ) as string,
      }),
    );
    expect(server.output()).toContain(`The audit log ends at entry ${head.seq + 1} with the hash`);
  });

  test('a file that is damaged, foreign or cut off is refused with the reason, and the server goes on', async () => {
    const backup = await backUp('spoiled');
    await truncate(fileOf(backup), backup.sizeBytes - 100);
    const foreign = backup.filename.replace('spoiled', 'foreign');
    await writeFile(path.join(server.data, 'backups', foreign), 'a letter');

    for (const name of [backup.filename, foreign]) {
      const { status, body } = await server.request('POST', `/api/backups/${name}/restore`);
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'backup_refused',
        error: expect.stringContaining(
          'It is damaged, truncated, or not a backup of Vitrine',
        ) as string,
      });
    }
    expect(await libraryNames()).toEqual(['Films']);
    expect(await aside()).toHaveLength(2);
  });

  test('the command line makes, checks and puts back without a server', async () => {
    const backup = await backUp('by hand');
    const kept = path.join(media.path, backup.filename);
    await copyFile(fileOf(backup), kept);
    const running = await vitrine('backup', 'restore', kept, '--data', server.data);
    expect(running).toMatchObject({ code: 1 });
    expect(running.stderr).toMatch(/is in use by process/);
    // No library may hold the folders of its server.
    const other = `${server.data}-other`;

    const none = await vitrine('backup', 'create', '--data', other);
    expect(none).toMatchObject({
      code: 1,
      stderr: `vitrine: There is no database at ${other}/vitrine.db: give the data folder of the server with --data.\n`,
    });
    const result = await vitrine('backup', 'restore', kept, '--data', other);
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        / is in place\.\nIt has no keys\. Secrets that were sealed/,
      ) as string,
    });

    const made = await vitrine('backup', 'create', '--data', other, '--label', 'again');
    expect(made.stdout).toMatch(/-again\.vbackup\n$/);
    const restored = await startServer({ data: other });
    expect((await restored.get<{ libraries: unknown[] }>('/api/libraries')).libraries).toHaveLength(
      1,
    );
    await restored.stop();
    await rm(other, { recursive: true });
  });
});
