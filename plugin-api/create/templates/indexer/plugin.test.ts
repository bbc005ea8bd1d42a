import type { IndexFile } from '@vitrine/plugin-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type PluginUnderTest } from 'vitrine/plugin-test';

const keepers = {
  id: 7,
  name: 'The Lighthouse Keepers',
  premiered: '2014-03-01',
  summary: '<p>Two people &amp; a <b>lamp</b>.</p>',
  url: 'https://www.tvmaze.com/shows/7',
};
const lowTide = { name: 'Low Tide', summary: '<p>The water goes.</p>', airdate: '2014-03-08' };

const file = (metadata: Readonly<Record<string, unknown>>): IndexFile => ({
  path: 'The Lighthouse Keepers/S01E02.mkv',
  size: 1,
  known: { title: 'The Lighthouse Keepers S01E02', metadata, ids: {} },
});
const second = file({ series: 'The Lighthouse Keepers', season: 1, episode: 2 });

let plugin: PluginUnderTest;

/**
 * Opening one takes most of the time of a test, so all of them share it, and with it the server's cache:
 * a test that wants another answer asks another question.
 */
beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    hosts: {
      'api.tvmaze.com/search/shows': { body: [{ score: 1, show: keepers }] },
      'api.tvmaze.com/shows/7/episodebynumber?season=1&number=2': { body: lowTide },
      'api.tvmaze.com/shows/7/episodebynumber?season=1&number=9': { status: 404 },
    },
  });
});

afterAll(() => plugin.close());

const index = (...files: readonly IndexFile[]) =>
  plugin.call('indexer.index', { libraryId: 'series', libraryType: 'tv', stage: 'full', files });

test('identifies an episode, in plain text, with its series', async () => {
  const { results } = await index(second);

  expect(results).toEqual([
    {
      title: 'Low Tide',
      metadata: { overview: 'The water goes.', airDate: '2014-03-08' },
      confidence: 0.8,
      match: { id: '7' },
    },
  ]);
  expect(await plugin.call('indexer.supports', { libraryType: 'music' })).toBe(false);
});

test('returns null without a series, and for an unknown episode', async () => {
  const unknown = file({ series: 'The Lighthouse Keepers', season: 1, episode: 9 });

  expect(await index(file({}), unknown)).toEqual({ results: [null, null], later: [] });
});

test('has low confidence in a series of other years, or one of two equal candidates', async () => {
  const other = await index(
    file({ series: 'The Lighthouse Keepers', season: 1, episode: 2, year: 1978 }),
  );
  plugin.net.answer('api.tvmaze.com/search/shows?q=Keepers', {
    body: [{ show: { ...keepers, name: 'Keepers' } }, { show: { id: 8, name: 'Keepers' } }],
  });
  const tie = await index(file({ series: 'Keepers', season: 1, episode: 2 }));

  expect([other.results[0]?.confidence, tie.results[0]?.confidence]).toEqual([0.4, 0.5]);
});

test('uses the series that a person chose, without a search', async () => {
  const unknown = file({ series: 'Nobody knows it', season: 1, episode: 2 });

  const { results } = await index({ ...unknown, match: { id: '7' } });

  expect(results).toMatchObject([{ title: 'Low Tide', confidence: 1 }]);
  const asked = plugin.net.requests().filter(({ url }) => url.includes('Nobody'));
  expect(asked).toEqual([]);
});

test.each([
  ['is away', 'unreachable'],
  ['is busy', { status: 503 }],
] as const)('asks again later when the catalogue %s', async (how, answer) => {
  plugin.net.answer(`api.tvmaze.com/search/shows?q=${encodeURIComponent(how)}`, answer);

  const asked = await index(file({ series: how, season: 1, episode: 2 }));

  expect(asked).toEqual({ results: [null], later: [0] });
});

test('fails when a power was withdrawn, since a retry would not help', async () => {
  await plugin.grant({ metadata: 'write', serves: ['indexer'] });

  await expect(index(second)).rejects.toMatchObject({ code: 'permission_denied' });
  await plugin.grant(plugin.asked);
});

test('ignores invalid answers', async () => {
  plugin.net.answer('api.tvmaze.com/search/shows?q=Nonsense', {
    body: [null, { show: { id: 'x', name: 5 } }, 'show'],
  });

  const asked = await index(file({ series: 'Nonsense', season: 1, episode: 2 }));

  expect(asked).toEqual({ results: [null], later: [] });
});

test('returns candidates for a person, the most likely first', async () => {
  plugin.net.answer('api.tvmaze.com/search/shows?q=the', {
    body: [{ show: { id: 9, name: 'Another' } }, { show: keepers }],
  });

  const { candidates } = await plugin.call('indexer.search', {
    libraryType: 'tv',
    query: 'the lighthouse keepers',
    year: 2014,
    limit: 5,
  });

  expect(candidates).toEqual([
    {
      id: '7',
      title: 'The Lighthouse Keepers',
      year: 2014,
      overview: 'Two people & a lamp.',
      url: 'https://www.tvmaze.com/shows/7',
      confidence: 1,
    },
    { id: '9', title: 'Another', confidence: 0.3 },
  ]);
});
