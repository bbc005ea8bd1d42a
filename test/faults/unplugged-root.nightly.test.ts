/**
 * A disk that is taken away while it is scanned. At any moment, and with anything found in its
 * place: no file is marked as missing, the library says what is wrong, and when the disk is back the next
 * scan goes on as if nothing had been.
 */
import { mkdir, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

interface Library {
  readonly id: string;
  readonly itemCount: number;
  readonly problems: readonly { readonly uri: string; readonly code: string }[];
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly result: { readonly gone?: number; readonly failedRoots?: readonly string[] };
}

const folders = 400;
const filesInEach = 4;
/** Seldom: for a client that asks all the time, a scan makes room, and takes many times as long. */
const lookEveryMs = 150;

describe.concurrent('a root that is unplugged in the middle of a scan', () => {
  const trees: MediaTree[] = [];
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ args: ['--ingest', 'off', '--watch', 'off'] });
  });

  afterAll(async () => {
    await server.stop();
    for (const tree of trees) await tree.remove();
  });

  const libraryOf = async (id: string): Promise<Library> =>
    (await server.get<{ library: Library }>(`/api/libraries/${id}`)).library;

  /** A library with a disk of its own, which was scanned once. */
  async function scannedDisk(name: string) {
    const names = Array.from({ length: folders * filesInEach }, (_, index) => {
      const album = `Album ${String(index % folders).padStart(3, '0')}`;
      return `disk/${album}/${Math.floor(index / folders)} - Track ${index}.mp3`;
    });
    const tree = await createMediaTree(names);
    trees.push(tree);
    const root = path.join(tree.path, 'disk');
    const { body } = await server.request('POST', '/api/libraries', {
      name,
      type: 'music',
      roots: [root],
    });
    const { id } = (body as { library: Library }).library;
    await scanDuring(id, 0, async () => undefined);
    return { id, root, away: path.join(tree.path, 'away') };
  }

  /** Scans, does something after so many milliseconds, and gives how the job ended. */
  async function scanDuring(
    libraryId: string,
    delayMs: number,
    work: () => Promise<void>,
  ): Promise<Job> {
    const { status, body } = await server.request('POST', '/api/jobs', { type: 'scan', libraryId });
    expect(status).toBe(201);
    let { job } = body as { job: Job };
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await work();
    await until(
      'the scan is over',
      async () => {
        ({ job } = await server.get<{ job: Job }>(`/api/jobs/${job.id}`));
        return job.status !== 'pending' && job.status !== 'running';
      },
      60_000,
      lookEveryMs,
    );
    return job;
  }

  // A scan that cannot reach its root is tried again, which takes seconds.
  const delays = [0, 60];
  test.each([
    ['nothing is left in its place', 'nothing', [0]],
    ['an empty folder is left in its place', 'empty', delays],
    ['an empty disk is left in its place', 'empty disk', delays],
  ] as const)(
    'calls nothing gone when %s',
    async (_, left, delays) => {
      const { id, root, away } = await scannedDisk(left);
      let troubled = 0;
      for (const delay of delays) {
        const job = await scanDuring(id, delay, async () => {
          await rename(root, away);
          if (left !== 'nothing') await mkdir(root);
          if (left === 'empty disk') await mkdir(path.join(root, 'lost+found'));
        });

        const isTroubled = job.status === 'failed' || (job.result.failedRoots ?? []).length > 0;
        // A job is over a moment before its library has heard of it.
        await until(
          'the library says so',
          async () => (await libraryOf(id)).problems.length > 0 === isTroubled,
        );
        const { itemCount } = await libraryOf(id);
        expect([delay, itemCount, job.result.gone ?? 0]).toEqual([delay, folders * filesInEach, 0]);
        troubled += isTroubled ? 1 : 0;

        if (left === 'empty disk') await rmdir(path.join(root, 'lost+found'));
        if (left !== 'nothing') await rmdir(root);
        await rename(away, root);
      }
      expect(troubled).toBeGreaterThan(0);

      const { status, result } = await scanDuring(id, 0, async () => undefined);

      expect([status, result.gone, result.failedRoots]).toEqual(['completed', 0, []]);
      expect(await libraryOf(id)).toMatchObject({ itemCount: folders * filesInEach, problems: [] });
    },
    180_000,
  );
});
