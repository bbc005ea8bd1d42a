/** Built-in indexers whose catalogue sends anything: a reply costs its title at most, never the batch. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import anilist from '../../builtin-plugins/anilist/index.ts';
import musicbrainz from '../../builtin-plugins/musicbrainz/index.ts';
import openlibrary from '../../builtin-plugins/openlibrary/index.ts';
import tmdb from '../../builtin-plugins/tmdb/index.ts';
import tvmaze from '../../builtin-plugins/tvmaze/index.ts';
import wikidata from '../../builtin-plugins/wikidata/index.ts';
import type { FetchInput, IndexResult, PluginDefinition } from '../../plugin-api/index.ts';
import { createRandom } from '../support/fuzz/random.ts';
import { startAnilist } from '../support/plugins/anilist.ts';
import { fileOf } from '../support/plugins/call-indexer.ts';
import type { MadeService } from '../support/plugins/made-service.ts';
import { startMusicbrainz } from '../support/plugins/musicbrainz.ts';
import { startOpenlibrary } from '../support/plugins/openlibrary.ts';
import { madeKey, startTmdb } from '../support/plugins/tmdb.ts';
import { startTvmaze } from '../support/plugins/tvmaze.ts';
import { startWikimedia } from '../support/plugins/wikimedia.ts';
import { rounds } from '../support/run/nightly.ts';

interface Catalogue {
  readonly plugin: PluginDefinition;
  readonly libraryType: string;
  readonly start: () => Promise<MadeService>;
  readonly configOf: (url: string) => Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const picture = new Uint8Array();
const plain = (url: string) => ({ baseUrl: url, imageBaseUrl: url });
const film = { title: 'Low Tide', facts: { year: 1995 } };
const episode = { title: 'Low Tide', facts: { series: 'Harbour Lights', season: 1, episode: 1 } };
const song = { album: 'Harbour Songs', artist: 'The Piers', year: 1971 };

const catalogues: Readonly<Record<string, Catalogue>> = {
  tmdb: {
    ...{ plugin: tmdb, libraryType: 'movies', ...film },
    start: () => startTmdb({ films: [{ id: 1, title: 'Low Tide', year: 1995 }] }, picture),
    configOf: (url) => ({ baseUrl: `${url}/3`, imageBaseUrl: `${url}/t/p` }),
  },
  wikidata: {
    ...{ plugin: wikidata, libraryType: 'movies', ...film },
    start: () => startWikimedia([{ id: 'Q1', title: 'Low Tide', year: 1995 }], picture),
    configOf: (url) => ({ ...plain(url), wikipediaUrl: url, commonsUrl: url }),
  },
  tvmaze: {
    ...{ plugin: tvmaze, libraryType: 'tv', configOf: plain, ...episode },
    start: () =>
      startTvmaze([{ id: 1, name: 'Harbour Lights', year: 2001, episodes: ['Low Tide'] }], picture),
  },
  anilist: {
    ...{ plugin: anilist, libraryType: 'tv', ...episode },
    start: () =>
      startAnilist([{ id: 1, title: 'Harbour Lights', year: 2001, episodes: 12 }], picture),
    configOf: (url) => ({ baseUrl: `${url}/graphql`, imageBaseUrl: url }),
  },
  musicbrainz: {
    ...{ plugin: musicbrainz, libraryType: 'music', configOf: plain },
    ...{ title: 'Low Tide', facts: song },
    start: () =>
      startMusicbrainz(
        [{ no: 1, title: song.album, artist: song.artist, year: 1971, tracks: ['Low Tide'] }],
        picture,
      ),
  },
  openlibrary: {
    ...{ plugin: openlibrary, libraryType: 'books' },
    ...{ title: 'Low Tide', facts: { author: 'Ada Reed', year: 1931 } },
    start: () =>
      startOpenlibrary([{ no: 1, title: 'Low Tide', author: 'Ada Reed', year: 1931 }], picture),
    configOf: (url) => ({ baseUrl: url, imageBaseUrl: `${url}/covers` }),
  },
};

const deep = (): unknown => JSON.parse('['.repeat(2000) + ']'.repeat(2000));
const hostile: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => '',
  () => '<script>alert(1)</script>',
  () => 'javascript:alert(1)',
  () => 'http://169.254.169.254/latest',
  () => '\u0000\u202e\ud800',
  () => 'x'.repeat(100_000),
  () => [],
  () => ({}),
  () => Array.from({ length: 5000 }, () => null),
  () => JSON.parse('{"__proto__": {"title": "Mine"}, "constructor": 1}'),
  deep,
];

type Random = ReturnType<typeof createRandom>;

/** The same with something else in some of its places. */
function mutated(value: unknown, random: Random): unknown {
  if (random.below(12) === 0) return random.pick(hostile)();
  if (Array.isArray(value)) return value.map((one) => mutated(one, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mutated(one, random)]));
}

describe.each(Object.entries(catalogues))('%s', (_, catalogue) => {
  const { plugin, libraryType, start, configOf, title, facts } = catalogue;
  let service: MadeService;

  beforeAll(async () => {
    service = await start();
  });

  afterAll(() => service.close());

  /** Asks it; `change` changes each reply. */
  async function ask(change: (reply: unknown) => unknown): Promise<IndexResult> {
    const fetchReply = async ({ url, method = 'GET', body }: FetchInput): Promise<object> => {
      const address = url.replace(/(\{|%7B)secret:apiKey(\}|%7D)/i, encodeURIComponent(madeKey));
      const reply = await fetch(address, { method, ...(body !== undefined && { body }) });
      const text = JSON.stringify(change(JSON.parse(await reply.text()))) ?? 'null';
      return { status: reply.status, headers: {}, body: text, cache: 'miss' };
    };
    const host = {
      config: { get: async () => configOf(service.url) },
      net: { fetch: fetchReply },
    };
    const index = plugin.methods?.['indexer.index'] as unknown as (
      input: object,
      host: object,
    ) => Promise<IndexResult>;
    return index(
      { libraryId: 'l', libraryType, stage: 'full', files: [fileOf(title, facts)] },
      host,
    );
  }

  test('that answers as it should is understood', async () => {
    expect((await ask((reply) => reply)).results[0]).toMatchObject({ match: {} });
  });

  test('that sends anything in any place fails no batch, and names no picture but of the web', async () => {
    for (let seed = 1; seed <= rounds(60, 1000); seed += 1) {
      const random = createRandom(seed);
      const answer = await ask((reply) => mutated(reply, random)).catch((error: unknown) =>
        expect.fail(`seed ${seed}: ${String(error)}`),
      );
      expect({ seed, results: answer.results.length }).toEqual({ seed, results: 1 });
      for (const { uri } of answer.results[0]?.assets ?? [])
        expect(`seed ${seed}: ${uri}`).toMatch(/: https?:\/\//);
    }
  });
});
