import { describe, expect, test } from 'vitest';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { inParts } from './index-parts.ts';

const documents = (count: number, words: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `d${at}`, scope: 's', kind: 'k', title: 'title' },
    body: 'word '.repeat(words),
  }));

describe('a large change of a text index', () => {
  test('is cut where a part is full, and takes a document of any size', () => {
    expect(inParts([60_000, 60_000, 300_000, 1, 1], (size) => size)).toEqual([
      [60_000, 60_000],
      [300_000],
      [1, 1],
    ]);
    expect(inParts([], () => 1)).toEqual([]);
  });

  test('lets other writes run between its parts', async () => {
    const ended: string[] = [];
    const others: Promise<unknown>[] = [];
    let isAsking = false;
    const { textIndex, kv } = await openTestStorage({
      observeWrites: () => {
        if (!isAsking) return;
        isAsking = false;
        const other = kv.set('q', { key: 'a', json: '1' }, 100);
        others.push(other.then(() => ended.push('other')));
      },
    });
    const many = documents(6, 10_000);
    isAsking = true;
    await textIndex.put('p', many).then(() => ended.push('put'));
    isAsking = true;
    const ids = many.map(({ id }) => id);
    await textIndex.remove('p', ids).then(() => ended.push('remove'));
    await Promise.all(others);

    expect(ended).toEqual(['other', 'put', 'other', 'remove']);
    expect(await textIndex.size('p')).toBe(0);
  });

  test('completes before the next change of that index', async () => {
    const { textIndex } = await openTestStorage();
    const many = documents(6, 10_000);

    await Promise.all([textIndex.put('p', many), textIndex.clear('p')]);

    expect(await textIndex.size('p')).toBe(0);
  });

  test('keeps the last of equal documents, also when they are far apart', async () => {
    const { textIndex } = await openTestStorage();
    const [first, ...others] = documents(6, 10_000);
    if (first === undefined) throw new Error('There is no document.');

    await textIndex.put('p', [first, ...others, { ...first, title: 'another' }]);

    const found = await textIndex.query('p', { terms: [{ text: 'another' }], limit: 10 });
    expect(found.total).toBe(1);
    expect(await textIndex.size('p')).toBe(6);
  });
});
