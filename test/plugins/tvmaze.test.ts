/** The built-in `tvmaze` over a real network, against a service that has moods. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import plugin from '../../builtin-plugins/tvmaze/index.ts';
import type { FetchInput, IndexResult } from '../../plugin-api/index.ts';
import type { MadeService, Mood } from '../support/plugins/made-service.ts';
import { startTvmaze } from '../support/plugins/tvmaze.ts';
import { openTestNetwork, type TestNetwork } from '../support/servers/network.ts';

let tvmaze: MadeService;
let network: TestNetwork;

beforeAll(async () => {
  const show = { id: 1, name: 'Harbour Lights', year: 2001, episodes: ['Low Tide'] };
  tvmaze = await startTvmaze([show], new Uint8Array());
  network = await openTestNetwork({ allowedHosts: ['127.0.0.1'] });
});

afterAll(async () => {
  await network.remove();
  await tvmaze.close();
});

const file = {
  path: 'a.mkv',
  size: 1,
  known: { title: 'a', metadata: { series: 'Harbour Lights', season: 1, episode: 1 }, ids: {} },
};

async function ask(): Promise<IndexResult> {
  const host = {
    config: { get: async () => ({ baseUrl: tvmaze.url, imageBaseUrl: tvmaze.url, keepDays: 0 }) },
    net: { fetch: (input: FetchInput) => network.fetch({ ...input, timeoutMs: 500 }) },
  };
  const index = plugin.methods?.['indexer.index'] as unknown as (
    input: object,
    host: object,
  ) => Promise<IndexResult>;
  return index({ libraryId: 'l', libraryType: 'tv', stage: 'full', files: [file] }, host);
}

test.each<Mood>(['broken', 'cut', 'page', 'slow', 'unreadable', 'busy'])(
  'a service that is %s is asked again later, and nothing is made up',
  async (mood) => {
    tvmaze.feel('well');
    const { results } = await ask();
    tvmaze.feel(mood);
    await rm(network.cacheFolder, { recursive: true });

    expect(results[0]).toMatchObject({ title: 'Low Tide' });
    expect(await ask()).toEqual({ results: [null], later: [0] });
  },
);
