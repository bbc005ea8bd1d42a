/**
 * A disk that is really full under a running server: what reads goes on, what writes is told why, and
 * all goes on when there is room again; and a disk on which none can start, since it is full or
 * read-only. It takes a machine on which the test may mount.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../support/fuzz/random.ts';
import { leastOf, operationsOf } from '../support/fuzz/requests.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { createPackage, createPublisher } from '../support/plugins/packages.ts';
import { isOverPostgres } from '../support/storage/postgres.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-disk-'));
const mount = (...options: readonly string[]): boolean =>
  spawnSync('mount', [...options, folder], { stdio: 'ignore' }).status === 0;
const mayMount = mount('-t', 'tmpfs', '-o', 'size=48m', 'none');
if (!mayMount) console.log('Skipped: this machine lets nobody mount a disk, so none can be full.');

let tree: MediaTree;
let server: TestServer;
let itemId: string;
const data = path.join(folder, 'data');
const ballast = path.join(folder, 'ballast');

/** Fills the disk to its last block. */
async function fill(): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, `bs=${bsize}`, `count=${bavail + 10}`], {
    stdio: 'ignore',
  });
}

/** Changes until one is refused: there may still be room in what SQLite has already. */
async function writeUntilRefused(): Promise<{ readonly status: number; readonly body: unknown }> {
  for (let turn = 0; turn < 300; turn++) {
    const answer = await server.request('POST', '/api/groups', {
      name: `Group ${turn} ${'x'.repeat(80)}`,
    });
    if (answer.status !== 201) return answer;
  }
  throw new Error('The disk took everything.');
}

const titlesOf = async (): Promise<number> =>
  (await server.get<{ items: readonly object[] }>('/api/items?limit=100')).items.length;

beforeAll(async () => {
  if (!mayMount) return;
  tree = await createMediaTree(
    Array.from({ length: 30 }, (_, no) => `Film ${no} (2001)/Film ${no}.mkv`),
  );
  server = await startServer({ data, args: ['--library', `movies:Films:${tree.path}`] });
  await jobsOver(server);
  const { items } = await server.get<{ items: readonly { id: string }[] }>('/api/items');
  itemId = items[0]?.id ?? '';
});

afterAll(async () => {
  if (mayMount) {
    await server.stop();
    await tree.remove();
    execFileSync('umount', ['-l', folder]);
  }
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!mayMount)('a server on a disk of its own (needs the right to mount)', () => {
  test.skipIf(isOverPostgres)(
    'reads on while the disk of the SQLite file is full, says so, and writes again when there is room',
    async () => {
      await fill();
      const refused = await writeUntilRefused();
      const meanwhile = await titlesOf();
      const health = await server.request('GET', '/api/health');
      await rm(ballast);
      const again = await server.request('PATCH', `/api/items/${itemId}`, { title: 'Room again' });

      expect(refused).toEqual({
        status: 507,
        body: { error: expect.stringMatching(/disk .*is full/), code: 'storage_full' },
      });
      expect([meanwhile, health.status, again.status]).toEqual([30, 200, 200]);
    },
    60_000,
  );

  test('scans what came while the disk was full as soon as there is room', async () => {
    await fill();
    await tree.write('Late (2020)/Late.mkv');
    const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
      '/api/libraries',
    );
    const scan = { type: 'scan', libraryId: libraries[0]?.id };
    const refused = await server.request('POST', '/api/jobs', scan);
    await rm(ballast);
    if (refused.status !== 201) await server.request('POST', '/api/jobs', scan);
    await jobsOver(server);

    expect([201, 507]).toContain(refused.status);
    expect(await titlesOf()).toBe(31);
  });

  test('tells of each write of a file that its folder is read-only, and fails at none', async () => {
    const archive = createPackage({ id: 'greeter' }, { signer: createPublisher() });
    const ids = JSON.stringify(await server.get('/api/plugins')).match(/(?<="id":")[\w-]+/g) ?? [];
    const headers = { authorization: `Bearer ${adminToken}` };
    const supplies = { random: createRandom(1), credentials: [headers], ids: [...ids, itemId] };
    const operations = operationsOf(await server.get('/api/openapi.json'));
    const least = operations.flatMap((one) => leastOf(supplies, one));
    // The database has its files open; all else is opened through the read-only mount.
    execFileSync('mount', ['--bind', data, data]);
    execFileSync('mount', ['-o', 'remount,ro,bind', data]);
    try {
      const writes = await Promise.all([
        server.request('POST', '/api/backups', {}),
        server.request('POST', '/api/plugins/packages', {
          file: Buffer.from(archive).toString('base64'),
        }),
      ]);
      const failed: string[] = [];
      for (const { method, target, body } of least) {
        const { status, body: reply } = await server.request(
          method,
          target,
          JSON.parse(body ?? '{}'),
        );
        if (status === 500) failed.push(`${method} ${target} ${body} ${JSON.stringify(reply)}`);
      }

      expect(writes).toMatchObject(
        writes.map(() => ({ status: 503, body: { code: 'storage_read_only' } })),
      );
      expect(failed).toEqual([]);
    } finally {
      execFileSync('umount', [data]);
    }
  });

  test('does not start on a read-only disk, and says why in one line', async () => {
    await server.stop();
    mount('-o', 'remount,ro');
    const readOnly = await startServer({ data }).then(
      (started) => started.stop().then(() => 'started'),
      (error: unknown) => String(error),
    );
    mount('-o', 'remount,rw');
    await fill();
    const full = await startServer({ data }).then(
      (started) => started.stop().then(() => 'started'),
      (error: unknown) => String(error),
    );
    await rm(ballast);
    server = await startServer({ data });

    expect(readOnly).toContain('cannot be written (EROFS): its disk is read-only');
    expect(readOnly.split('\n').filter((line) => line.startsWith('vitrine:'))).toHaveLength(1);
    expect(full).toMatch(/^started$|its disk is full/);
    expect(await titlesOf()).toBe(31);
  });
});
