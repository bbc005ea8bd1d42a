import { describe, expect, test } from 'vitest';
import { shortPage } from './short-list.ts';

const entries = ['a', 'b', 'c', 'd', 'e'];
const pageOf = (list: readonly string[], query: Parameters<typeof shortPage>[1]) =>
  shortPage(list, query, (entry) => entry);

describe('a page of a short list', () => {
  test('is the whole list without a limit', () => {
    expect(pageOf(entries, {})).toEqual({ page: entries, nextCursor: null });
    expect(pageOf([], { limit: 2 })).toEqual({ page: [], nextCursor: null });
  });

  test('goes on after the last entry, also if entries before it came or went', () => {
    const first = pageOf(entries, { limit: 2 });
    const cursor = first.nextCursor ?? '';

    expect(first.page).toEqual(['a', 'b']);
    expect(pageOf(entries, { limit: 2, cursor }).page).toEqual(['c', 'd']);
    expect(pageOf(['0', ...entries], { limit: 2, cursor }).page).toEqual(['c', 'd']);
    expect(pageOf(['a', 'c', 'd'], { limit: 3, cursor })).toEqual({
      page: ['c', 'd'],
      nextCursor: null,
    });
  });

  test('has each of several equal entries once', () => {
    const lines = ['a', 'a', 'a'];
    const second = pageOf(lines, {
      limit: 1,
      cursor: pageOf(lines, { limit: 1 }).nextCursor ?? '',
    });

    expect(pageOf(lines, { limit: 1, cursor: second.nextCursor ?? '' })).toEqual({
      page: ['a'],
      nextCursor: null,
    });
  });

  test('refuses a cursor of another list', () => {
    expect(() => pageOf(entries, { cursor: 'x' })).toThrow(/query\.cursor is not from this list/);
  });
});
