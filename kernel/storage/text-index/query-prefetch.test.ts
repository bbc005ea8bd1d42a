import { describe, expect, test } from 'vitest';
import { createQueryPrefetch, type KindsQuery } from './query-prefetch.ts';

const kinds = [{ kind: 'item', limit: 20 }];
const winter = { terms: [{ text: 'Winter', prefix: true }], scopes: null };
const summer = { terms: [{ text: 'summer', prefix: true }], scopes: null };

/** An index that records its queries. */
function openPrefetch() {
  const asked: string[] = [];
  const ask = async ({ terms }: KindsQuery) => {
    const text = terms.map((term) => term.text).join(' ');
    asked.push(text);
    return [{ hits: [{ id: text, kind: 'item', title: text, score: 1 }], total: 1 }];
  };
  const { prefetch, answer, forget } = createQueryPrefetch();
  return {
    asked,
    forget: () => forget('search'),
    prefetch: (query: Omit<KindsQuery, 'kinds'>) => prefetch('search', query, ask),
    answer: (query: Omit<KindsQuery, 'kinds'>, wanted = kinds) =>
      answer('search', { ...query, kinds: wanted }, ask),
  };
}

/** One whose last prediction was right. */
async function openConfirmed() {
  const index = openPrefetch();
  await index.answer(winter);
  void index.prefetch(winter);
  await index.answer(winter);
  index.asked.length = 0;
  return index;
}

describe('the next query of a plugin', () => {
  test('is prefetched when the last prediction was right', async () => {
    const { asked, prefetch, answer } = openPrefetch();

    expect(prefetch(winter)).toBeUndefined();
    await answer(winter);
    expect(prefetch(winter)).toBeUndefined();
    await answer(winter);
    const prefetched = prefetch(summer);

    expect(asked).toEqual(['Winter', 'Winter', 'summer']);
    expect(await answer(summer)).toBe(await prefetched);
    expect(asked).toHaveLength(3);
  });

  test('is predicted in any spelling of its words', async () => {
    const { asked, prefetch, answer } = await openConfirmed();

    void prefetch(winter);
    await answer({ terms: [{ text: 'WÍNTER', prefix: true, alternatives: [] }] });

    expect(asked).toEqual(['Winter']);
  });

  test.each([
    ['other words', { ...summer }, kinds],
    ['a whole word', { ...winter, terms: [{ text: 'winter' }] }, kinds],
    [
      'other spellings too',
      { terms: [{ ...winter.terms[0], text: 'winter', alternatives: ['ii'] }] },
      kinds,
    ],
    ['some scopes', { ...winter, scopes: ['films'] }, kinds],
    ['more hits', winter, [{ kind: 'item', limit: 21 }]],
    ['another kind', winter, [{ kind: 'entity', limit: 20 }]],
  ])(
    'is not the prediction with %s: it runs, and the next one is not prefetched',
    async (_, query, wanted) => {
      const { asked, prefetch, answer } = await openConfirmed();

      void prefetch(winter);
      await answer(query, wanted);

      expect(asked).toHaveLength(2);
      expect(prefetch(winter)).toBeUndefined();
    },
  );

  test('is answered once, and never from before a change of the index', async () => {
    const { asked, prefetch, answer, forget } = await openConfirmed();

    void prefetch(winter);
    forget();
    await answer(winter);
    await answer(winter);

    expect(asked).toEqual(['Winter', 'Winter', 'Winter']);
  });

  test('fails only where its answer is used', async () => {
    const { prefetch, answer } = createQueryPrefetch();
    const fail = () => Promise.reject(new Error('The disk is gone.'));
    const query = { ...winter, kinds };
    const nothing = async () => [];
    await answer('search', query, nothing);
    void prefetch('search', winter, nothing);
    await answer('search', query, nothing);

    void prefetch('search', winter, fail);

    await expect(answer('search', query, nothing)).rejects.toThrow('The disk is gone.');
  });
});
