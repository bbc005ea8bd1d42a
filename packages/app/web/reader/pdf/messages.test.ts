import { expect, test } from 'vitest';
import { parseFromFrame } from './messages.ts';

const size = 1000;

test.each([
  [{ type: 'read', start: 0, end: 1000 }],
  [{ type: 'asset', id: 3, name: 'UniJIS-UTF16-H.bcmap' }],
  [{ type: 'drawn', page: 2, isBroken: false }],
  [{ type: 'out', url: 'https://example.org/' }],
  [{ type: 'key', key: 'PageDown' }],
  [{ type: 'locked', isWrong: true }],
])('a message that the frame may send is taken: %o', (message) => {
  expect(parseFromFrame(message, size)).toEqual(message);
});

test.each([
  [null],
  ['read'],
  [{ type: 'read', start: 0, end: 1001 }],
  [{ type: 'read', start: 5, end: 5 }],
  [{ type: 'read', start: -1, end: 5 }],
  [{ type: 'read', start: 0, end: '5' }],
  [{ type: 'asset', id: 1, name: '../index.html' }],
  [{ type: 'asset', id: 1, name: 'a/b.ttf' }],
  [{ type: 'asset', id: 1.5, name: 'a.ttf' }],
  [{ type: 'drawn', page: Infinity }],
  [{ type: 'go', page: '1' }],
  [{ type: 'out', url: 'javascript:alert(1)' }],
  [{ type: 'out', url: 'https://bank.example@stranger.invalid/' }],
  [{ type: 'key', key: 'F5' }],
  [{ type: 'leave' }],
])('a message of a frame that was taken over is not: %o', (message) => {
  expect(parseFromFrame(message, size)).toBeUndefined();
});

test('contents of a stranger have limits, and a book without pages is said to have none', () => {
  const line = { title: 'x'.repeat(5000), depth: 0 };
  const told = { type: 'opened', pages: 3, contents: [...Array(5000).fill(line), { depth: 99 }] };
  const opened = parseFromFrame(told, size);
  expect(opened).toMatchObject({ type: 'opened', pages: 3, isRightToLeft: false });
  const { contents } = opened as { readonly contents: readonly { readonly title: string }[] };
  expect([contents.length, contents[0]?.title.length]).toEqual([2000, 300]);
  expect(parseFromFrame({ type: 'opened', pages: 0 }, size)).toEqual({
    type: 'failed',
    problem: 'no-pages',
  });
});
