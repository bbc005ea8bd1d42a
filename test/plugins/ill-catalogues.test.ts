/** Built-in indexers over a real network, against services that have moods. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import musicbrainz from '../../builtin-plugins/musicbrainz/index.ts';
import openlibrary from '../../builtin-plugins/openlibrary/index.ts';
import tvmaze from '../../builtin-plugins/tvmaze/index.ts';
import type { FetchInput, IndexResult, PluginDefinition } from '../../plugin-api/index.ts';
import { fileOf } from '../support/plugins/call-indexer.ts';
import type { MadeService, Mood } from '../support/plugins/made-service.ts';
import { startMusicbrainz } from '../support/plugins/musicbrainz.ts';
import { startOpenlibrary } from '../support/plugins/openlibrary.ts';
import { startTvmaze } from '../support/plugins/tvmaze.ts';
import { openTestNetwork, type TestNetwork } from '../support/servers/network.ts';

interface Catalogue {
  readonly plugin: PluginDefinition;
  readonly libraryType: string;
  readonly start: () => Promise<MadeService>;
  readonly facts: Readonly<Record<string, unknown>>;
}

const picture = new Uint8Array();
const show = { id: 1, name: 'Harbour Lights', year: 2001, episodes: ['Low Tide'] };
const album = { no: 1, title: 'Harbour Songs', artist: 'The Piers', year: 1971 };
const book = { no: 1, title: 'Low Tide', author: 'Ada Reed', year: 1931 };

const catalogues: Readonly<Record<string, Catalogue>> = {
  tvmaze: {
    plugin: tvmaze,
    libraryType: 'tv',
    start: () => startTvmaze([show], picture),
    facts: { series: 'Harbour Lights', season: 1, episode: 1 },
  },
  musicbrainz: {
    plugin: musicbrainz,
    libraryType: 'music',
    start: () => startMusicbrainz([{ ...album, tracks: ['Low Tide'] }], picture),
    facts: { album: 'Harbour Songs', artist: 'The Piers', year: 1971 },
  },
  openlibrary: {
    plugin: openlibrary,
    libraryType: 'books',
    start: () => startOpenlibrary([book], picture),
    facts: { author: 'Ada Reed', year: 1931 },
  },
};

describe.each(Object.entries(catalogues))('%s', (_, { plugin, libraryType, start, facts }) => {
  let service: MadeService;
  let network: TestNetwork;

  beforeAll(async () => {
    service = await start();
    network = await openTestNetwork({ allowedHosts: ['127.0.0.1'] });
  });

  afterAll(async () => {
    await network.remove();
    await service.close();
  });

  async function ask(timeoutMs: number): Promise<IndexResult> {
    const config = { baseUrl: service.url, imageBaseUrl: service.url, keepDays: 0 };
    const host = {
      config: { get: async () => config },
      net: { fetch: (input: FetchInput) => network.fetch({ ...input, timeoutMs }) },
    };
    const index = plugin.methods?.['indexer.index'] as unknown as (
      input: object,
      host: object,
    ) => Promise<IndexResult>;
    const files = [fileOf('Low Tide', facts)];
    return index({ libraryId: 'l', libraryType, stage: 'full', files }, host);
  }

  test.each<Mood>(['broken', 'cut', 'page', 'slow', 'unreadable', 'busy'])(
    'that is %s is asked again later, and nothing is made up',
    async (mood) => {
      service.feel('well');
      const { results } = await ask(10_000);
      service.feel(mood);
      await rm(network.cacheFolder, { recursive: true });

      expect(results[0]).toMatchObject({ title: 'Low Tide' });
      expect(await ask(500)).toMatchObject({ results: [null], later: [0] });
    },
  );
});
