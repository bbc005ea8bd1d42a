import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { rounds } from '../../../test/support/run/nightly.ts';
import {
  describeEachDriver,
  openTestStorage,
  useSharedStorage,
} from '../../../test/support/storage/storage.ts';
import type { TextDocument } from '../../../plugin-api/index.ts';
import type { Storage } from '../index.ts';

const document = (id: string, title: string, rest: Partial<TextDocument> = {}): TextDocument => ({
  id,
  scope: 'films',
  kind: 'item',
  title,
  body: '',
  ...rest,
});

const terms = (text: string) => text.split(' ').map((word) => ({ text: word }));

describeEachDriver('the text index over %s', (driver) => {
  const shared = useSharedStorage(driver);
  afterEach(async () => {
    for (const plugin of ['p', 'q']) await shared().textIndex.removeAll(plugin);
  });

  async function indexOf(...documents: readonly TextDocument[]): Promise<Storage> {
    await shared().textIndex.put('p', documents);
    return shared();
  }

  async function found(storage: Storage, text: string, more: object = {}): Promise<string[]> {
    const query = { terms: terms(text), limit: 20, ...more };
    const { hits, total } = await storage.textIndex.query('p', query);
    expect(total).toBe(hits.length);
    return hits.map(({ id }) => id);
  }

  test('finds the documents that have all of the terms, without case and accents', async () => {
    const storage = await indexOf(
      document('1', 'Amélie à l’ombre'),
      document('2', 'Amelie'),
      document('3', 'Ombre'),
    );

    expect(await found(storage, 'OMBRE amelie')).toEqual(['1']);
    expect(await found(storage, 'ámelie')).toEqual(['2', '1']);
    expect(await found(storage, 'amel')).toEqual([]);
  });

  test('finds the beginning of a word when the term is a prefix', async () => {
    const storage = await indexOf(document('1', 'Parliament'), document('2', 'Apart'));
    const prefix = (text: string) => ({ terms: [{ text, prefix: true }] });

    expect(await found(storage, '', prefix('p'))).toEqual(['1']);
    expect(await found(storage, '', prefix('parliam'))).toEqual(['1']);
  });

  test('takes alternatives for the word itself', async () => {
    const storage = await indexOf(document('1', 'The Garden'), document('2', 'The Wall'));
    const query = { terms: [{ text: 'the' }, { text: 'gardn', alternatives: ['garden'] }] };

    expect(await found(storage, '', query)).toEqual(['1']);
  });

  test('finds any part of a title in a script without spaces', async () => {
    const storage = await indexOf(
      document('1', '銀河鉄道の朝'),
      document('2', '서울의 겨울'),
      document('3', 'บ้านริมน้ำ'),
      document('4', '鉄の銀河'),
    );

    expect(await found(storage, '鉄道')).toEqual(['1']);
    expect(await found(storage, '河')).toEqual(['4', '1']);
    expect(await found(storage, '울의')).toEqual(['2']);
    expect(await found(storage, 'ริม')).toEqual(['3']);
  });

  test('ranks the exact title first, then titles, then bodies', async () => {
    const storage = await indexOf(
      document('body', 'Wall', { body: 'garden garden garden garden' }),
      document('longer', 'The Garden of Stones'),
      document('twice', 'Garden, Garden'),
      document('exact', 'Garden!', { body: 'a long text about something else '.repeat(30) }),
    );

    expect(await found(storage, 'garden')).toEqual(['exact', 'twice', 'longer', 'body']);
  });

  test('puts those with more of the terms in the title before the others', async () => {
    const storage = await indexOf(
      document('none', 'Wall', { body: 'silent garden of roses' }),
      document('one', 'The Garden of Very Many Old Stones', { body: 'silent roses' }),
      document('two', 'The Silent Garden of Very Many Old Stones', { body: 'roses' }),
      document('alternative', 'A Silnt Garden', { body: 'roses and silent things' }),
      document('all', 'All Those Roses in the Silent, Old and Walled Garden'),
    );
    const query = {
      terms: [
        { text: 'silent', alternatives: ['silnt'] },
        { text: 'garden' },
        { text: 'ros', prefix: true },
      ],
    };

    const order = ['all', 'alternative', 'two', 'one', 'none'];
    expect(await found(storage, '', query)).toEqual(order);
  });

  test('finds every word with a beginning, few or many', async () => {
    const words = Array.from({ length: 12 }, (_, index) => `garden${'abcdefghijkl'[index] ?? ''}`);
    const storage = await indexOf(
      document('0', 'Garden'),
      document('1', 'Gardén'),
      document('2', 'Gardener'),
      document('3', 'Garde'),
    );
    const open = (text: string) => ({ terms: [{ text, prefix: true }] });

    expect(await found(storage, '', open('gard'))).toEqual(['0', '1', '2', '3']);
    expect(await found(storage, '', open('garden'))).toEqual(['0', '1', '2']);
    expect(await found(storage, '', open('gardenz'))).toEqual([]);
    await storage.textIndex.put(
      'p',
      words.map((word) => document(word, `${word} wall`)),
    );
    expect(await found(storage, '', open('gardenl'))).toEqual(['gardenl']);
    expect(await found(storage, '', open('garden'))).toHaveLength(15);
  });

  test('gives scores that fall, and keeps the order of ties', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const { textIndex } = await indexOf(...ids.map((id) => document(id, 'Silent Harbor')));
    const query = { terms: terms('harbor'), limit: 30 };

    const [first, second] = [await textIndex.query('p', query), await textIndex.query('p', query)];

    expect(first.hits.map(({ id }) => id)).toEqual(ids);
    expect(second).toEqual(first);
    expect(new Set(first.hits.map(({ score }) => score)).size).toBe(1);
    expect(first.hits[0]).toMatchObject({ kind: 'item', title: 'Silent Harbor' });
  });

  test('counts all matches, also those past the limit and past what is ranked', async () => {
    const many = (from: number, title: string, body = '') =>
      Array.from({ length: 400 }, (_, index) => document(`d${from + index}`, title, { body }));
    const storage = await indexOf(...many(0, 'Wall', 'garden'));
    await storage.textIndex.put('p', many(400, 'Wall', 'garden'));
    await storage.textIndex.put('p', [
      document('late', 'All That Was Left of the Very Old Garden'),
      document('exact', 'garden', { body: 'x '.repeat(5000) }),
    ]);

    const { hits, total } = await storage.textIndex.query('p', {
      terms: terms('garden'),
      limit: 3,
    });

    expect(total).toBe(802);
    expect(hits.map(({ id }) => id).slice(0, 2)).toEqual(['exact', 'late']);
    expect(hits).toHaveLength(3);
  });

  test('limits a query to a kind and to scopes', async () => {
    const storage = await indexOf(
      document('1', 'Garden'),
      document('2', 'Garden', { kind: 'entity' }),
      document('3', 'Garden', { scope: 'series' }),
      document('4', 'Garden', { scope: "mu'sic" }),
    );

    expect(await found(storage, 'garden', { kind: 'item' })).toEqual(['1', '3', '4']);
    expect(await found(storage, 'garden', { kind: 'entity', scopes: ['films'] })).toEqual(['2']);
    expect(await found(storage, 'garden', { scopes: ['series', "mu'sic"] })).toEqual(['3', '4']);
    expect(await found(storage, 'garden', { scopes: null })).toEqual(['1', '3', '4', '2']);
    expect(await found(storage, 'garden', { scopes: [] })).toEqual([]);
    expect(await found(storage, 'garden', { scopes: ['nowhere'] })).toEqual([]);
    expect(await found(storage, 'garden', { kind: 'none' })).toEqual([]);
  });

  testByNight(
    'hides documents of scopes beyond its limit from queries that name scopes',
    async () => {
      const storage = shared();
      const scoped = Array.from({ length: 4100 }, (_, at) =>
        document(`d${at}`, 'Garden', { scope: `scope ${at}` }),
      );
      await storage.textIndex.put('p', scoped);

      expect(await found(storage, 'garden', { scopes: ['scope 4094'] })).toEqual(['d4094']);
      expect(await found(storage, 'garden', { scopes: ['scope 4095', 'scope 4099'] })).toEqual([]);
      const { total } = await storage.textIndex.query('p', { terms: terms('garden'), limit: 1 });
      expect(total).toBe(4100);
    },
  );

  test('replaces a document as a whole, and takes the last of equal ids', async () => {
    const storage = await indexOf(
      document('1', 'Garden', { body: 'roses' }),
      document('2', 'Wall'),
    );

    await storage.textIndex.put('p', [
      document('1', 'Passed over'),
      document('1', 'Harbor', { scope: 'series', kind: 'entity' }),
    ]);

    expect(await found(storage, 'garden')).toEqual([]);
    expect(await found(storage, 'roses')).toEqual([]);
    expect(await found(storage, 'passed')).toEqual([]);
    expect(await found(storage, 'harbor', { scopes: ['series'], kind: 'entity' })).toEqual(['1']);
    expect(await storage.textIndex.size('p')).toBe(2);
  });

  test('removes documents, passes over unknown ids, and clears', async () => {
    const storage = await indexOf(document('1', 'Garden'), document('2', 'Garden Wall'));

    await storage.textIndex.remove('p', ['1', 'unknown']);
    expect(await found(storage, 'garden')).toEqual(['2']);
    expect(await storage.textIndex.size('p')).toBe(1);

    await storage.textIndex.clear('p');
    expect(await found(storage, 'garden')).toEqual([]);
    expect(await storage.textIndex.size('p')).toBe(0);

    await storage.textIndex.put('p', [document('3', 'Garden', { kind: 'other' })]);
    expect(await found(storage, 'garden', { kind: 'other' })).toEqual(['3']);
  });

  test('separates the indexes of plugins', async () => {
    const storage = await indexOf(document('1', 'Garden'));
    await storage.textIndex.put('q', [document('1', 'Harbor')]);

    expect(await found(storage, 'harbor')).toEqual([]);
    expect(await storage.textIndex.similar('p', { text: 'harbr', limit: 5 })).toEqual([]);
    await storage.textIndex.removeAll('p');
    expect(await storage.textIndex.size('p')).toBe(0);
    expect(await storage.textIndex.size('q')).toBe(1);
    expect(await found(storage, 'garden')).toEqual([]);
    await storage.textIndex.put('p', [document('2', 'Garden')]);
    expect(await found(storage, 'garden')).toEqual(['2']);
  });

  test('knows nothing of a plugin that never put anything', async () => {
    const { textIndex } = shared();

    expect(await textIndex.query('p', { terms: terms('x'), limit: 1 })).toEqual({
      hits: [],
      total: 0,
    });
    expect(await textIndex.similar('p', { text: 'x', limit: 1 })).toEqual([]);
    expect(await textIndex.size('p')).toBe(0);
    await textIndex.remove('p', ['1']);
    await textIndex.clear('p');
    await textIndex.removeAll('p');
  });

  test('treats every text as words, never as syntax', async () => {
    const storage = await indexOf(document('1', 'Garden OR Wall'), document('2', 'Wall'));
    const hostile = [
      '"',
      '""',
      '*',
      'garden"*',
      'garden" OR "wall',
      '{title} : garden',
      'NEAR(garden wall)',
      '^garden',
      "'; drop table text_index_1_words; --",
      'garden\0wall',
      '\ud800',
      '?',
      ':x',
      '\\',
    ];

    for (const text of hostile) {
      await storage.textIndex.query('p', { terms: [{ text, prefix: true }], limit: 5 });
      await storage.textIndex.query('p', {
        terms: [{ text: 'wall', alternatives: [text] }],
        kind: text.toWellFormed(),
        scopes: [text.toWellFormed()],
        limit: 5,
      });
      await storage.textIndex.similar('p', { text, limit: 5 });
    }
    expect(await found(storage, 'NOT')).toEqual([]);
    expect(await found(storage, 'garden or')).toEqual(['1']);
    expect(await found(storage, 'wall')).toEqual(['2', '1']);
  });

  test('survives any text, and finds a document by each of its words', async () => {
    const { textIndex } = shared();
    const text = fc.string({ unit: 'binary', maxLength: 40 });

    await fc.assert(
      fc.asyncProperty(text, text, async (title, body) => {
        await textIndex.put('p', [document('1', `${title} needle`, { body })]);
        const query = { terms: [{ text: title }, { text: body }, { text: 'needle' }], limit: 1 };

        const { hits } = await textIndex.query('p', query);

        expect(hits.map(({ id }) => id)).toEqual(['1']);
      }),
      { numRuns: rounds(8, 60) },
    );
  });

  test.each(['id', 'kind', 'scope'])(
    'refuses a document whose %s no database keeps',
    async (name) => {
      const { textIndex } = shared();

      for (const text of ['a\0', 'a\udfff']) {
        await expect(
          textIndex.put('p', [document('1', 'Garden', { [name]: text })]),
        ).rejects.toMatchObject({ code: 'invalid_argument' });
      }
      expect(await textIndex.size('p')).toBe(0);
    },
  );

  test('suggests words within one edit, the most frequent first', async () => {
    const storage = await indexOf(
      document('1', 'The Garden', { body: 'warden' }),
      document('2', 'A Garden, the Garden'),
      document('3', 'Gardens', { body: 'harden gardener' }),
      document('4', '庭'),
    );
    const similar = (text: string, limit = 10) => storage.textIndex.similar('p', { text, limit });

    expect(await similar('Gárdne')).toEqual([{ text: 'garden', documents: 2 }]);
    expect(await similar('garden')).toEqual([
      { text: 'garden', documents: 2 },
      { text: 'gardens', documents: 1 },
      { text: 'harden', documents: 1 },
      { text: 'warden', documents: 1 },
    ]);
    expect(await similar('garden', 1)).toEqual([{ text: 'garden', documents: 2 }]);
    expect(await similar('th')).toEqual([{ text: 'the', documents: 2 }]);
    expect(await similar('the garden')).toEqual([]);
    expect(await similar('庭')).toEqual([]);
    expect(await similar('')).toEqual([]);
  });

  test('suggests no word without a document', async () => {
    const storage = await indexOf(document('1', 'Garden Wall'), document('2', 'Wall'));

    await storage.textIndex.put('p', [document('1', 'Wall')]);
    expect(await storage.textIndex.similar('p', { text: 'gardn', limit: 5 })).toEqual([]);
    expect(await storage.textIndex.similar('p', { text: 'wal', limit: 5 })).toEqual([
      { text: 'wall', documents: 2 },
    ]);
    await storage.textIndex.remove('p', ['1', '2']);
    expect(await storage.textIndex.similar('p', { text: 'wal', limit: 5 })).toEqual([]);
  });

  test('agrees with a simple list over random puts and removals', async () => {
    const word = fc.constantFrom('red', 'green', 'blue', 'gold');
    const change = fc.oneof(
      fc.record({
        id: fc.constantFrom('1', '2', '3', '4'),
        title: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
        scope: fc.constantFrom('x', 'y'),
      }),
      fc.record({ id: fc.constantFrom('1', '2', '3', '4') }),
    );
    const { textIndex } = shared();

    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        await textIndex.clear('p');
        const expected = new Map<string, TextDocument>();
        for (const step of changes) {
          if ('title' in step) {
            const put = document(step.id, step.title, { scope: step.scope });
            expected.set(step.id, put);
            await textIndex.put('p', [put]);
          } else {
            expected.delete(step.id);
            await textIndex.remove('p', [step.id]);
          }
        }

        const query = { terms: terms('red'), scopes: ['x'], limit: 10 };
        const { hits, total } = await textIndex.query('p', query);
        const similar = await textIndex.similar('p', { text: 'red', limit: 5 });

        const red = [...expected.values()].filter(({ title }) => title.includes('red'));
        const ids = red.filter(({ scope }) => scope === 'x').map(({ id }) => id);
        expect(hits.map(({ id }) => id).sort()).toEqual(ids.sort());
        expect(total).toBe(ids.length);
        expect(similar[0]?.documents ?? 0).toBe(red.length);
        expect(await textIndex.size('p')).toBe(expected.size);
      }),
      { numRuns: rounds(4, 25) },
    );
  });

  test.each([
    ['a word', [{ text: 'harbor' }]],
    ['the whole of a word as its beginning', [{ text: 'harbor', prefix: true }]],
    [
      'a beginning of several words, of which a document may have two',
      [{ text: 'gard', prefix: true }],
    ],
    ['a beginning of one word', [{ text: 'harb', prefix: true }]],
    ['a short beginning', [{ text: 'ga', prefix: true }]],
    ['two words', [{ text: 'garden' }, { text: 'harbor' }]],
    ['a word and its other spelling', [{ text: 'garden', alternatives: ['harbor'] }]],
    ['a phrase', [{ text: 'old garden' }]],
    ['a word that no document has', [{ text: 'orchard', prefix: true }]],
    ['a part of a text without spaces', [{ text: '東京' }]],
  ])('counts each kind exactly: %s', async (_what, terms) => {
    const titles = [
      'Harbor',
      'Old garden',
      'Gardens, garden',
      'Garden harbor',
      '東京物語',
      'Gate',
      'Gardens',
    ];
    const all = Array.from({ length: 3 * titles.length * 2 }, (_, at) =>
      document(`d${at}`, titles[at % titles.length] ?? '', {
        kind: ['item', 'entity', 'person'][Math.floor(at / titles.length) % 3] ?? '',
        scope: at < 3 * titles.length ? 'films' : 'shows',
        body: at % 4 === 0 ? 'an old harbor and a harbor' : '',
      }),
    );
    const { textIndex } = await indexOf(...all, document('gone', 'Garden harbor gardens 東京'));
    await textIndex.remove('p', ['gone']);
    const limit = 500;

    for (const scopes of [null, ['shows']])
      for (const kinds of [
        ['item'],
        ['item', 'entity', 'person'],
        ['person', 'item', 'entity'],
        ['item', 'item', 'item'],
      ]) {
        const wanted = kinds.map((kind) => ({ kind, limit }));
        const found = await textIndex.queryKinds('p', { terms, scopes, kinds: wanted });
        expect(found.map(({ total }) => total)).toEqual(found.map(({ hits }) => hits.length));
      }
  });

  test('leaves an inverted index that agrees with itself', async () => {
    const documents = Array.from({ length: 500 }, (_, index) =>
      document(`d${index}`, `Title ${index}`, { body: `word${index % 7}` }),
    );
    const { database, textIndex } = await openTestStorage({ driver });
    await textIndex.put('p', documents);
    await textIndex.put(
      'p',
      documents.slice(100).map((put) => ({ ...put, title: `New ${put.title}` })),
    );
    await textIndex.remove('p', ['d0', 'd499']);

    if (driver !== 'pg') {
      const check = database.write((trx) =>
        trx.raw("insert into text_index_1_words (text_index_1_words) values ('integrity-check')"),
      );
      await expect(check).resolves.toBeDefined();
    }
    const { total } = await textIndex.query('p', { terms: terms('title'), limit: 1 });
    expect(total).toBe(498);
  });
});
