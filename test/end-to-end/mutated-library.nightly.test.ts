/** A thousand files that lie: each costs its own item an error at most, and the plugins nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hasFfmpeg } from '../support/media/media-files.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { mutatedFiles } from '../support/media/mutated-media.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const counts = { movies: 500, music: 500 } as const;

interface PluginState {
  readonly id: string;
  readonly state: string;
  readonly restartAttempts: number;
  readonly lastCrashAt: string | null;
}

describe.skipIf(!hasFfmpeg)('a folder of mutated media (needs ffmpeg)', () => {
  let tree: MediaTree;
  let server: TestServer;

  beforeAll(async () => {
    tree = await createMediaTree();
    const args = [];
    for (const [type, count] of Object.entries(counts)) {
      for (const { name, extension, bytes } of mutatedFiles(type as keyof typeof counts, count))
        await tree.write(`${type}/${name}.${extension}`, bytes);
      args.push('--library', `${type}:${type}:${tree.path}/${type}`);
    }
    server = await startServer({ args });
  });

  afterAll(async () => {
    await server.stop();
    await tree.remove();
  });

  test('is ingested whole, each file with what was read of it or why it was not', async () => {
    await jobsOver(server, 120_000);

    const items = await allItems(server);
    const files = items.flatMap((item) => item.files);

    expect(files).toHaveLength(counts.movies + counts.music);
    const untold = files.filter(
      ({ fileInfo }) => !('container' in fileInfo || 'error' in fileInfo),
    );
    expect(untold.map(({ uri }) => uri)).toEqual([]);
    // Some are broken past reading, and some are not: else this would test nothing.
    const failed = files.filter(({ status }) => status === 'error');
    expect(failed.length).toBeGreaterThan(50);
    expect(files.length - failed.length).toBeGreaterThan(50);
  }, 150_000);

  test('restarts no plugin and leaves every one running', async () => {
    const { plugins } = await server.get<{ plugins: readonly PluginState[] }>('/api/plugins');

    const hurt = plugins.filter(
      ({ restartAttempts, lastCrashAt }) => restartAttempts > 0 || lastCrashAt !== null,
    );
    expect(hurt).toEqual([]);
    expect(plugins.filter(({ state }) => state === 'failed')).toEqual([]);
  });

  test('leaves the server answering', async () => {
    await eventually('every item is found', async () => {
      const found = await server.get<{ itemsTotal: number }>('/api/search?q=broken&limit=1');
      return found.itemsTotal === counts.movies + counts.music;
    });
  });
});
