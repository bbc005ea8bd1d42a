import { describe, expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { hasPostgres } from '../../../test/support/storage/postgres.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { vectorOf } from './postgres-tables.ts';

describe('the vector of a document', () => {
  test('has the places of each word, none between two texts, the beginnings of words, and pairs of short ones', () => {
    expect(
      vectorOf([
        ['red', 'green', 'red'],
        ['red', 'a'],
      ]),
    ).toBe(
      "'red':1,3,5 'green':2 'a':6 '^r' '^re' '^red' '^g' '^gr' '^gre' '^a' '+red+green' '+green+red' '+red+a'",
    );
  });

  testByNight.skipIf(!hasPostgres())(
    'is taken by PostgreSQL, however long the texts are',
    async () => {
      const { database, textIndex } = await openTestStorage({ driver: 'pg' });
      const body = Array.from({ length: 30_000 }, (_, at) => `${at} `).join('');
      const document = { id: '1', scope: 's', kind: 'item', title: 'Garden '.repeat(285) };

      await textIndex.put('p', [
        { ...document, body },
        { ...document, id: '2', body: '\ufdfa'.repeat(100_000) },
        { ...document, id: '3', body: 'x'.repeat(100_000) },
        {
          ...document,
          id: '4',
          body: Array.from({ length: 50_000 }, (_, at) => String.fromCodePoint(0x20000 + at)).join(
            '',
          ),
        },
      ]);

      const { total } = await textIndex.query('p', { terms: [{ text: 'garden' }], limit: 1 });
      const late = await textIndex.query('p', { terms: [{ text: '29999' }], limit: 1 });
      expect([total, late.total, await database.read('text_indexes').pluck('documents')]).toEqual([
        4,
        1,
        [4],
      ]);
    },
  );
});

describe.skipIf(!hasPostgres())('the text index over PostgreSQL', () => {
  const document = (at: number) => ({
    id: `d${at}`,
    scope: at % 3 === 0 ? 'films' : 'series',
    kind: at % 2 === 0 ? 'item' : 'entity',
    title: at % 5 === 0 ? `Garden ${at}` : `Wall ${at}`,
    body: 'garden',
  });
  const documents = Array.from({ length: 90 }, (_, at) => document(at));

  test('returns the same first keys by examining documents, gathering all, or knowing them', async () => {
    const { database, textIndex } = await openTestStorage({ driver: 'pg' });
    await textIndex.put('p', documents);
    const first = (part: string, scopes: string, walked: number, known = 'null') =>
      database.read
        .raw<readonly { readonly key: number }[]>(
          `select key from text_index_shortest('text_index_1_words', '${part}', $$'garden'$$, '~0',
            0, ${2 ** 48 - 1}, ${scopes}, ${known}, ${walked}, 5) as found (key)`,
        )
        .then((rows) => rows.map(({ key }) => key));
    const keys = (scopes: string) =>
      `(select known from text_index_matches('text_index_1_words', $$'garden'$$, '{0}', '{0}', ${scopes}))`;

    for (const scopes of ['null', `'{0}'`]) {
      for (const part of ['title', 'anywhere']) {
        const gathered = await first(part, scopes, 0);
        expect(gathered).toEqual(gathered.toSorted((a, b) => a - b));
        expect(await first(part, scopes, 90)).toEqual(gathered);
        expect(await first(part, scopes, 3)).toEqual(gathered);
        expect(await first(part, scopes, 0, keys(scopes))).toEqual(gathered);
      }
    }
  });

  test('finds rows of words, short ones and long ones, with their end open or not', async () => {
    const { textIndex } = await openTestStorage({ driver: 'pg' });
    const put = (id: string, title: string, body = '') => ({ ...document(0), id, title, body });
    await textIndex.put('p', [
      put('1', 'The Night of the Hunter'),
      put('2', 'Silent Night', 'the night'),
      put('3', 'Night Silent', 'hunter of the night'),
      put('4', 'Of Mice', 'the end'),
    ]);
    const found = async (text: string, prefix = false) =>
      (await textIndex.query('p', { terms: [{ text, prefix }], limit: 9 })).hits.map(
        ({ id }) => id,
      );

    expect(await found('of-the')).toEqual(['1', '3']);
    expect(await found('the-night')).toEqual(['1', '2', '3']);
    expect(await found('silent-night')).toEqual(['2']);
    expect(await found('night-of-the')).toEqual(['1']);
    expect(await found('of-th', true)).toEqual(['1', '3']);
    expect(await found('night-sil', true)).toEqual(['3']);
    expect(await found('mice-the')).toEqual([]);
  });
});
