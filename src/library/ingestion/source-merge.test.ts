/** Several sources on the network for one item: which one wins, and what stays without them. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Identification } from '../../../plugin-api/index.ts';
import {
  everything,
  openTestIngestion,
  type TestIngestion,
} from '../../../test/support/library/ingestion.ts';
import { createSources, type Sources } from '../matching/index.ts';

const said = (source: string, more: object = {}): Identification => ({
  title: `Heat of ${source}`,
  metadata: { overview: `What ${source} says.`, ...more },
  assets: [{ type: 'poster', uri: `https://pictures.example.org/${source}.jpg`, source: '' }],
  confidence: 0.9,
  match: { id: `${source}:1` },
});

let ingestion: TestIngestion;
let sources: Sources;
let absent: Set<string>;
let tagline: string;

beforeEach(async () => {
  absent = new Set();
  tagline = 'Of the first.';
  ingestion = await openTestIngestion({
    full: {
      first: ({ match }) => {
        if (match === undefined) return said('first', { tagline });
        if (match.id === 'first:gone') return null;
        if (match.id === 'first:moved') return said('first', { tagline });
        const overview = `What first says of ${match.id}.`;
        return { ...said('first', { tagline, overview }), match };
      },
      second: () => said('second', { studio: 'Of the second' }),
    },
    remote: ['first', 'second'],
    absent,
  });
  onTestFinished(ingestion.close);
  sources = createSources({
    ...ingestion.library,
    database: ingestion.library.storage.database,
    nameOf: (id) => id,
    mergeAgain: ingestion.mergeAgain,
  });
  await ingestion.scan(['Heat (1995)/a.mkv']);
  await ingestion.run();
  await ingestion.run({ type: 'refresh' });
});

const item = async () => {
  const { items } = await ingestion.library.items.list(everything, {});
  return ingestion.library.items.get(items[0]?.id ?? '', everything);
};
const shown = async () => {
  const { title, metadata } = await item();
  const { overview, tagline, studio } = metadata;
  return [title, overview, tagline, studio];
};
const poster = async (): Promise<unknown> => {
  const { assets } = await item();
  const id = assets['poster']?.replace('/api/assets/', '') ?? '';
  const { place } = await ingestion.library.files.asset(id, everything);
  return place.uri;
};
const questions = () =>
  ingestion.calls.filter(
    ({ pluginId, method }) => pluginId !== 'by-folder' && method === 'indexer.index',
  ).length;
const put = async (
  order: readonly string[],
  fields: Readonly<Record<string, readonly string[]>>,
): Promise<void> => {
  await sources.set(ingestion.libraryId, everything, { order, fields, languages: [] });
  await ingestion.jobs.idle();
};

const usual = ['Heat of first', 'What first says.', 'Of the first.', 'Of the second'];
const turned = ['Heat of second', 'What second says.', 'Of the first.', 'Of the second'];

describe('several sources for one item', () => {
  test('win in the order of the library, which needs no request to be changed', async () => {
    const before = await shown();
    const asked = questions();
    await put(['second', 'first'], {});

    expect([before, await shown(), await poster()]).toEqual([
      usual,
      turned,
      'https://pictures.example.org/second.jpg',
    ]);
    expect(questions()).toBe(asked);
    const { sources: list } = await sources.get(ingestion.libraryId, everything);
    expect(list.map(({ pluginId }) => pluginId)).toEqual(['second', 'first']);
  });

  test('win single fields in an order of their own, and the provenance says so', async () => {
    await put([], { overview: ['gone', 'second'], poster: ['second'] });

    expect([await shown(), await poster()]).toEqual([
      ['Heat of first', 'What second says.', 'Of the first.', 'Of the second'],
      'https://pictures.example.org/second.jpg',
    ]);
    expect((await item()).provenance).toEqual(
      expect.arrayContaining([
        { pluginId: 'second', path: 'fields' },
        { pluginId: 'first', path: 'fields.title' },
      ]),
    );
  });

  test('take nothing along when they go away', async () => {
    absent.add('first');
    await ingestion.run({ type: 'refresh' });
    const withoutFirst = await shown();
    await put(['first', 'second'], {});

    expect([...withoutFirst].sort()).toEqual([...turned].sort());
    expect(await shown()).toEqual(usual);
  });

  test('take with them what a person rejected', async () => {
    const none = { id: null, manual: true, confidence: null, title: null, matchedAt: 1 };
    absent.add('first');
    await ingestion.library.storage.database.write((trx) =>
      trx('items').update({ match: JSON.stringify({ first: none }) }),
    );
    await ingestion.run({ type: 'refresh' });

    expect(await shown()).toEqual([
      'Heat of second',
      'What second says.',
      undefined,
      'Of the second',
    ]);
  });

  test('are asked of an entry that a person chose, also when a merge is there before its look-up', async () => {
    const chosen = { id: 'first:2', manual: true, confidence: null, title: null, matchedAt: 1 };
    await ingestion.library.storage.database.write((trx) =>
      trx('items').update({ match: JSON.stringify({ first: chosen }) }),
    );
    const asked = questions();
    await put(['second', 'first'], {});
    await put(['first', 'second'], {});

    expect(await shown()).toEqual([
      'Heat of first',
      'What first says of first:2.',
      'Of the first.',
      'Of the second',
    ]);
    expect(questions()).toBe(asked + 1);
  });

  test.each(['first:moved', 'first:gone'])(
    'are asked once of a chosen entry that their catalogue moved or removed: %s',
    async (id) => {
      const chosen = { id, manual: true, confidence: null, title: null, matchedAt: 1 };
      await ingestion.library.storage.database.write((trx) =>
        trx('items').update({ match: JSON.stringify({ first: chosen }) }),
      );
      const asked = questions();
      await put(['second', 'first'], {});
      const once = await shown();
      await put(['first', 'second'], {});
      await put(['second', 'first'], {});

      expect(questions()).toBe(asked + 1);
      expect(await shown()).toEqual(once);
    },
  );

  test('are asked by a refresh, also when a merge takes its items first', async () => {
    const { refreshes, libraryId, jobs } = ingestion;
    const job = await jobs.enqueue({ type: 'refresh', libraryId });
    await jobs.idle();
    const { signal } = new AbortController();
    tagline = 'Another one.';
    let step = await refreshes.step(job, null, signal);
    await put(['second', 'first'], {});
    while (!step.done) step = await refreshes.step(job, step.checkpoint, signal);

    expect((await shown())[2]).toBe('Another one.');
  });

  test.each([
    [{ order: ['first', 'first'], fields: {}, languages: [] }],
    [{ order: [], fields: { '': ['first'] }, languages: [] }],
    [{ order: [], fields: {}, languages: ['de', 'de'] }],
  ])('are not put in the order %j', async (wanted) => {
    await expect(sources.set(ingestion.libraryId, everything, wanted)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
