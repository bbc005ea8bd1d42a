/** A server is backed up while it scans, goes on, and is put back: by a real process over a real disk. */
import { execFile } from 'node:child_process';
import { copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backup } from '../../src/backups/index.ts';
import { serverEnvironment, serverFlags } from '../../src/cli/server-flags.mjs';
import { createMediaTree, type MediaTree } from '../support/media-tree.ts';
import { isOverPostgres } from '../support/postgres.ts';
import { allItems, jobsOver } from '../support/scan.ts';
import {
  adminToken,
  databaseFlags,
  startServer,
  until,
  type TestServer,
} from '../support/server.ts';

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

describe.skipIf(isOverPostgres)('a backup of SQLite (PostgreSQL has pg_dump)', () => {
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
    expect(stdout).toMatch(/^Whole: made .* \(to fetch\), \d+ files/);
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
        error: expect.stringContaining('It is damaged, cut off, or no backup of Vitrine') as string,
      });
    }
    expect(await libraryNames()).toEqual(['Films']);
    expect(await aside()).toHaveLength(1);
  });

  test('the command line makes, checks and puts back without a server', async () => {
    const backup = await backUp('by hand');
    const kept = path.join(media.path, backup.filename);
    await copyFile(fileOf(backup), kept);
    const running = await vitrine('backup', 'restore', kept, '--data', server.data);
    expect(running).toMatchObject({ code: 1 });
    expect(running.stderr).toMatch(/is in use by process/);
    const other = path.join(media.path, 'other-data');

    expect(await vitrine('backup', 'restore', kept, '--data', other)).toMatchObject({ code: 0 });

    const made = await vitrine('backup', 'create', '--data', other, '--label', 'again');
    expect(made.stdout).toMatch(/-again\.vbackup\n$/);
    const restored = await startServer({ data: other });
    expect((await restored.get<{ libraries: unknown[] }>('/api/libraries')).libraries).toHaveLength(
      1,
    );
    await restored.stop();
  });
});

test.runIf(isOverPostgres)(
  'over PostgreSQL a backup is refused with what to do instead',
  async () => {
    const { status, body } = await server.request('POST', '/api/backups', { label: 'none' });
    const made = await vitrine('backup', 'create', ...(await databaseFlags(server.data)));

    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'backup_refused',
      error: expect.stringContaining('back that up with pg_dump') as string,
    });
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') as string });
    expect((await server.get<{ backups: Backup[] }>('/api/backups')).backups).toEqual([]);
  },
);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function vitrine(...args: readonly string[]): Promise<Ran> {
  const script = path.resolve(import.meta.dirname, '../../dist/server.mjs');
  const env = { PATH: process.env['PATH'], ...serverEnvironment };
  return promisify(execFile)(process.execPath, [...serverFlags, script, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Ran,
  );
}
