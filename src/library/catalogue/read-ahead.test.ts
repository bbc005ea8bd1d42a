import { describe, expect, test } from 'vitest';
import { createReadAhead, type WantedIds } from './read-ahead.ts';

/** Reads that are known by what was wanted. */
function reader() {
  const wanted: WantedIds[] = [];
  const read = async (ids: WantedIds): Promise<string> => {
    wanted.push(ids);
    return JSON.stringify(ids);
  };
  return { wanted, read };
}

const hits = [
  { id: 'i1', kind: 'item' },
  { id: 'i2', kind: 'item' },
  { id: 'e1@films', kind: 'entity' },
  { id: 'e1@series', kind: 'entity' },
];
const question = { q: 'Silent har', scopes: null };
const shown: WantedIds = { items: ['i1', 'i2'], entities: ['e1'] };

describe('what a search plugin is shown', () => {
  test('is read before it has answered, and taken when its answer is among it', async () => {
    const { wanted, read } = reader();
    const ahead = createReadAhead();
    const reading = ahead.begin('search', question, read);

    ahead.shown('search', hits);
    expect(wanted).toEqual([shown]);
    const things = await reading.take({ items: ['i2'], entities: ['e1'] });

    expect(things).toBe(JSON.stringify(shown));
    expect(wanted).toHaveLength(1);
  });

  test('is read before it is shown, where its index foresees what the plugin asks', async () => {
    const { wanted, read } = reader();
    const foreseen: unknown[] = [];
    const ahead = createReadAhead(async (...asked) => {
      foreseen.push(asked);
      return [{ hits: hits.slice(0, 2).map((hit) => ({ ...hit, title: '', score: 1 })), total: 2 }];
    });
    const reading = ahead.begin('search', { q: "Silent, O'Brien har", scopes: ['films'] }, read);
    await expect.poll(() => wanted).toEqual([{ items: ['i1', 'i2'], entities: [] }]);

    ahead.shown('search', hits.slice(0, 2));
    ahead.begin('search', question, read);

    const terms = [
      { text: 'Silent', prefix: false },
      { text: "O'Brien", prefix: false },
      { text: 'har', prefix: true },
    ];
    expect(foreseen).toEqual([['search', { terms, scopes: ['films'] }]]);
    await reading.take({ items: ['i2'], entities: [] });
    expect(wanted).toHaveLength(1);
  });

  test('is not used for an answer with anything else in it, which is read again', async () => {
    const { read } = reader();
    const ahead = createReadAhead();
    const reading = ahead.begin('search', question, read);
    const other = { items: ['i1', 'i3'], entities: [] };

    ahead.shown('search', hits);

    expect(await reading.take(other)).toBe(JSON.stringify(other));
  });

  test('is not read while the plugin is asked two questions, nor for another plugin, nor when all are answered', () => {
    const { wanted, read } = reader();
    const ahead = createReadAhead();
    const [first, second] = [
      ahead.begin('search', question, read),
      ahead.begin('search', question, read),
    ];

    ahead.shown('search', hits);
    second.end();
    ahead.shown('another', hits);
    first.end();
    ahead.shown('search', hits);

    expect(wanted).toEqual([]);
  });

  test('is the last that it was shown: what found nothing was asked again in other words', async () => {
    const { wanted, read } = reader();
    const ahead = createReadAhead();
    const reading = ahead.begin('search', question, read);

    ahead.shown('search', []);
    ahead.shown('search', hits.slice(0, 1));
    ahead.shown('search', hits);
    const things = await reading.take(shown);

    expect(things).toBe(JSON.stringify(shown));
    expect(wanted).toHaveLength(2);
  });

  test('is not read when it is far more than an answer has', () => {
    const { wanted, read } = reader();
    const ahead = createReadAhead();
    ahead.begin('search', question, read);

    ahead.shown(
      'search',
      Array.from({ length: 500 }, (_, at) => ({ id: `i${at}`, kind: 'item' })),
    );

    expect(wanted).toEqual([]);
  });

  test('fails where it is taken, and nowhere else', async () => {
    const ahead = createReadAhead();
    const read = () => Promise.reject(new Error('The disk is gone.'));
    const [taken] = [ahead.begin('search', question, read)];

    ahead.shown('search', hits);
    await Promise.resolve();

    await expect(taken.take(shown)).rejects.toThrow('The disk is gone.');
  });
});
