/**
 * A disk that is taken away while it is scanned. Whatever the moment, and whatever is found in its
 * place: nothing is called gone, the library says what is wrong, and when the disk is back the next
 * scan goes on as if nothing had been.
 */
import { mkdir, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media-tree.ts';
import { startServer, until, type TestServer } from '../support/server.ts';

interface Library {
  readonly id: string;
  readonly itemCount: number;
  readonly problems: readonly { readonly uri: string; readonly code: string }[];
}

interface Job {
  readonly status: string;
  readonly result: { readonly gone?: number; readonly failedRoots?: readonly string[] };
}

const folders = 400;
const filesInEach = 8;

describe('a root that is unplugged in the middle of a scan', () => {
  let tree: MediaTree;
  let server: TestServer;
  let root = '';

  beforeAll(async () => {
    const names = Array.from({ length: folders * filesInEach }, (_, index) => {
      const album = `Album ${String(index % folders).padStart(3, '0')}`;
      return `disk/${album}/${Math.floor(index / folders)} - Track ${index}.mp3`;
    });
    tree = await createMediaTree(names);
    root = path.join(tree.path, 'disk');
    const args = ['--library', `music:Music:${root}`, '--ingest', 'off', '--watch', 'off'];
    server = await startServer({ args });
    await until('the first scan is over', async () => (await scans()).every(isOver), 60_000);
  }, 120_000);

  afterAll(async () => {
    await server.stop();
    await tree.remove();
  }, 30_000);

  const scans = async (): Promise<readonly Job[]> => {
    const { jobs } = await server.get<{ jobs: readonly (Job & { readonly type: string })[] }>(
      '/api/jobs?limit=100',
    );
    return jobs.filter(({ type }) => type === 'scan');
  };
  const isOver = ({ status }: Job): boolean => status !== 'pending' && status !== 'running';
  const library = async (): Promise<Library> => {
    const { libraries } = await server.get<{ libraries: readonly Library[] }>('/api/libraries');
    if (libraries[0] === undefined) throw new Error('There is no library.');
    return libraries[0];
  };

  /** Scans, does something after so many milliseconds, and gives how the job ended. */
  async function scanDuring(delayMs: number, work: () => Promise<void>): Promise<Job> {
    const { id } = await library();
    await server.request('DELETE', '/api/jobs?status=completed,failed');
    const { status } = await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
    expect(status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await work();
    let job: Job | undefined;
    await until(
      'the scan is over',
      async () => {
        job = (await scans())[0];
        return job !== undefined && isOver(job);
      },
      60_000,
    );
    if (job === undefined) throw new Error('There is no scan.');
    return job;
  }

  test.each([
    // A scan that cannot reach its root is tried again, which takes seconds.
    ['nothing is left in its place', 'nothing', [0]],
    ['an empty folder is left in its place', 'empty', [0, 60]],
    ['an empty disk is left in its place', 'empty disk', [0, 60]],
  ] as const)(
    'calls nothing gone when %s',
    async (_, left, delays) => {
      const away = path.join(tree.path, 'away');
      let troubled = 0;
      for (const delay of delays) {
        const job = await scanDuring(delay, async () => {
          await rename(root, away);
          if (left !== 'nothing') await mkdir(root);
          if (left === 'empty disk') await mkdir(path.join(root, 'lost+found'));
        });

        const isTroubled = job.status === 'failed' || (job.result.failedRoots ?? []).length > 0;
        // A job is over a moment before its library has heard of it.
        await until(
          'the library says so',
          async () => (await library()).problems.length > 0 === isTroubled,
        );
        const { itemCount } = await library();
        expect([delay, itemCount, job.result.gone ?? 0]).toEqual([delay, folders * filesInEach, 0]);
        troubled += isTroubled ? 1 : 0;

        if (left === 'empty disk') await rmdir(path.join(root, 'lost+found'));
        if (left !== 'nothing') await rmdir(root);
        await rename(away, root);
      }
      expect(troubled).toBeGreaterThan(0);

      const { status, result } = await scanDuring(0, async () => undefined);

      expect([status, result.gone, result.failedRoots]).toEqual(['completed', 0, []]);
      expect(await library()).toMatchObject({ itemCount: folders * filesInEach, problems: [] });
    },
    180_000,
  );
});
