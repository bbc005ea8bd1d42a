import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { IndexedItem, SearchQueryResult } from '../../plugin-api/index.ts';
import { createFakeHost, type FakeHost } from './fake-host.ts';
import { createFollower } from './follower.ts';
import { query } from './query.ts';

const film = (id: string, title: string, more: Partial<IndexedItem> = {}): IndexedItem => ({
  id,
  libraryId: 'films',
  scope: `${more.libraryId ?? 'films'}:`,
  title,
  metadata: {},
  entities: [],
  ...more,
});

describe('search.query', () => {
  let fake: FakeHost;
  const search = (q: string, scopes: readonly string[] | null = null, limit = 20) =>
    query({ q, limit, scopes }, fake.host);
  const ids = (result: SearchQueryResult): string[] => result.items.map(({ id }) => id);

  beforeEach(async () => {
    fake = createFakeHost();
    fake.save(film('matrix', 'The Matrix', { metadata: { year: 1999 } }));
    fake.save(film('reloaded', 'The Matrix Reloaded', { metadata: { year: 2003 } }));
    fake.save(film('amelie', 'Amélie à l’ombre'));
    fake.save(film('train', '銀河鉄道の朝'));
    fake.save(film('mrmrs', 'Mr. & Mrs. Night'));
    fake.save(film('oceans', 'Ocean’s Eleven'));
    fake.save(film('swat', 'S.W.A.T. Diaries'));
    fake.save(film('rocky', 'Rocky II'));
    fake.save(
      film('pilot', 'Pilot', {
        libraryId: 'shows',
        metadata: { series: 'Firefly', season: 1, episode: 1 },
        entities: [
          { id: 'firefly', type: 'show', name: 'Firefly', role: 'show' },
          { id: 'firefly-1', type: 'season', name: 'Season 1', role: 'season' },
        ],
      }),
    );
    await createFollower().follow(fake.host, 60_000);
    fake.calls.length = 0;
  });

  test('finds an exact title first, with full confidence', async () => {
    const result = await search('the matrix');

    expect(result.items).toEqual([
      { id: 'matrix', confidence: 1 },
      { id: 'reloaded', confidence: expect.any(Number) },
    ]);
    expect(result.items[1]?.confidence).toBeLessThan(1);
    expect(result.itemsTotal).toBe(2);
  });

  test('takes words in any order, case and accent, without punctuation', async () => {
    expect(ids(await search('RELOADED matrix'))).toEqual(['reloaded']);
    expect(ids(await search('ombre amelie'))).toEqual(['amelie']);
    expect(ids(await search('mr mrs night!'))).toEqual(['mrmrs']);
  });

  test('takes the last word as a prefix', async () => {
    expect(ids(await search('matrix rel'))).toEqual(['reloaded']);
    expect(ids(await search('matr'))).toEqual(['matrix', 'reloaded']);
  });

  test('takes every word as a prefix when there is no match otherwise', async () => {
    expect(ids(await search('matr reload'))).toEqual(['reloaded']);
  });

  test('tolerates one typo in each word that the index does not have', async () => {
    expect(ids(await search('matrxi'))).toEqual(['matrix', 'reloaded']);
    expect(ids(await search('the matrux reloded'))).toEqual(['reloaded']);
    expect(ids(await search('xyzzy'))).toEqual([]);
  });

  test('does not try other words when the typed ones have matches', async () => {
    await search('matrix');

    expect(fake.calls).toEqual(['textIndex.queryKinds']);
  });

  test('finds scripts without spaces inside a title', async () => {
    expect(ids(await search('鉄道'))).toEqual(['train']);
    expect((await search('銀河鉄道の朝')).items[0]?.confidence).toBe(1);
  });

  test('finds other spellings of a title', async () => {
    expect(ids(await search('oceans eleven'))).toEqual(['oceans']);
    expect(ids(await search("ocean's eleven"))).toEqual(['oceans']);
    expect(ids(await search('mr and mrs night'))).toEqual(['mrmrs']);
    expect(ids(await search('swat'))).toEqual(['swat']);
    expect((await search('swat')).items[0]?.confidence).toBeGreaterThan(0.6);
    expect(ids(await search('rocky 2'))).toEqual(['rocky']);
  });

  test('finds an item by its year and an episode by its series and number', async () => {
    expect(ids(await search('matrix 2003'))).toEqual(['reloaded']);
    expect(ids(await search('firefly s01e01'))).toEqual(['pilot']);
  });

  test('finds entities, and a season by the name of its series', async () => {
    expect((await search('firefly')).entities[0]).toEqual({ id: 'firefly', confidence: 1 });
    expect((await search('firefly season 1')).entities).toEqual([
      { id: 'firefly-1', confidence: 1 },
    ]);
  });

  test('shows a viewer of some libraries nothing of others', async () => {
    expect(await search('firefly', ['films'])).toEqual({ items: [], itemsTotal: 0, entities: [] });
    expect((await search('firefly', ['shows'])).entities[0]?.id).toBe('firefly');
    expect(await search('matrix', [])).toEqual({ items: [], itemsTotal: 0, entities: [] });
  });

  test('returns an entity once, from any number of libraries', async () => {
    const entities = [{ id: 'ada', type: 'person', name: 'Ada Abbott', role: 'director' }];
    fake.save(film('one', 'One', { entities }));
    fake.save(film('two', 'Two', { entities, libraryId: 'shows' }));
    await createFollower().follow(fake.host, 60_000);

    expect((await search('ada abbott')).entities).toEqual([{ id: 'ada', confidence: 1 }]);
  });

  test('counts all items of a query with many hits', async () => {
    for (let index = 0; index < 150; index += 1) {
      fake.save(film(`night${index}`, `Night Train ${index}`));
    }
    await createFollower().follow(fake.host, 60_000);

    const result = await search('night train');

    expect(result.items).toHaveLength(20);
    expect(result.itemsTotal).toBe(150);
  });

  test('returns at most as many items as requested, and counts all', async () => {
    const result = await search('matrix', null, 1);

    expect(result.items).toHaveLength(1);
    expect(result.itemsTotal).toBe(2);
  });

  test('answers any text, with confidences from 1 down to 0', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('matrix " OR *', '(the', 'NEAR(a b)', "';--", '***', 'a'.repeat(5000)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (q) => {
        const { items } = await search(q);
        let previous = 1;
        for (const { confidence } of items) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(previous);
          previous = confidence;
        }
      }),
      { numRuns: 200 },
    );
  });
});
