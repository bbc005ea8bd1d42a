/** No library contains a reserved place or lies in one: neither when it is made, nor later. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/servers/server.ts';

let top: string;
let server: TestServer;

beforeAll(async () => {
  top = await mkdtemp(path.join(tmpdir(), 'vitrine-places-'));
  for (const name of ['data', 'db', 'nas/backups', 'nas/films/deep'])
    await mkdir(path.join(top, name), { recursive: true });
  await symlink(path.join(top, 'nas/backups'), path.join(top, 'link'));
  server = await startServer({
    data: path.join(top, 'data'),
    database: `sqlite:${top}/db/server.db`,
    args: ['--backup-folder', path.join(top, 'nas/backups')],
  });
});

afterAll(async () => {
  await server.stop();
  await rm(top, { recursive: true });
});

const make = (root: string) =>
  server.request('POST', '/api/libraries', { name: root, type: 'movies', roots: [root] });

describe('a library', () => {
  test.each([
    ['data', 'the data folder of the server'],
    ['data/packages', 'the data folder of the server'],
    ['db', 'the database of the server'],
    ['nas', 'the backup folder of the server'],
    ['nas/backups', 'the backup folder of the server'],
    ['link', 'the backup folder of the server'],
    ['', 'the data folder of the server'],
  ])('cannot have its root at %s', async (name, what) => {
    const { status, body } = await make(path.join(top, name));

    expect(status).toBe(400);
    expect((body as { error: string }).error).toContain(`It contains ${what}, or lies in it.`);
  });

  test.each(['/proc', '/proc/self/fd', '/proc/self/root/etc', '/sys', '/dev/fd'])(
    'cannot have its root at %s, which hold no files of users',
    async (root) => {
      const { status, body } = await make(root);

      expect(status).toBe(400);
      expect((body as { error: string }).error).toMatch(/It contains \/(proc|sys|dev), which/);
    },
  );

  test('keeps the server from starting when a setting moves a place of the server into it', async () => {
    expect((await make(path.join(top, 'nas/films'))).status).toBe(201);
    await server.stop();
    const options = { data: path.join(top, 'data'), database: `sqlite:${top}/db/server.db` };
    const folder = path.join(top, 'nas/films/deep');

    const started = startServer({ ...options, args: ['--backup-folder', folder] });

    await expect(started).rejects.toThrow(
      `--backup-folder: the backup folder of the server (${folder}) and the folder ${top}/nas/films of the library ${top}/nas/films overlap`,
    );
    server = await startServer({ ...options, args: ['--backup-folder', `${top}/nas/backups`] });
  });
});
