import { expect, test } from 'vitest';
import { parseAnswer } from './action-answer.ts';

const nothing = { message: undefined, go: undefined, file: undefined };
const parse = (result: unknown) => parseAnswer(result, '@ada/casts');

test('an answer is a text, or an object with one, cut to what a message shows', () => {
  expect(parse('Done.')).toEqual({ ...nothing, message: 'Done.' });
  expect(parse({ message: 'x'.repeat(1000) }).message).toHaveLength(300);
  for (const other of [null, 7, true, [], {}, '', { message: { text: 'a' } }])
    expect(parse(other)).toEqual(nothing);
});

test.each(['/lists', '/lists/a1-b2', '/items/0198', '/shows/x', '/plugins/%40ada%2Fcasts'])(
  'an answer leads to %s',
  (go) => {
    expect(parse({ go })).toEqual({ ...nothing, go });
  },
);

test.each([
  ...['https://example.org/', '//example.org/items/1', 'javascript:alert(1)', 'items/1', '/'],
  ...['/admin', '/admin/plugins/x', '/pair/accept', '/pair/accept?code=ABCD', '/account', '/me'],
  ...[
    '/items/1?x=1',
    '/items/1#a',
    '/items/../admin',
    '/items/%2e%2e',
    '/plugins/other',
    '/lists/',
  ],
  ...['/items/a\n', ['/items/1'], 7],
])('an answer never leads to %j', (go) => {
  expect(parse({ go })).toEqual(nothing);
});

test('a file has a plain name, a known ending and text', () => {
  expect(parse({ file: { name: 'Films – 2026.csv', text: 'a' } }).file).toBeUndefined();
  expect(parse({ file: { name: 'Filme 2026.csv', text: 'a,b' } }).file).toEqual({
    ...{ name: 'Filme 2026.csv', text: 'a,b', type: 'text/csv' },
  });
  for (const name of ['a.html', 'a.csv.exe', '../a.csv', '.csv', 'a/b.txt', 'a\u202Evsc.txt', 7])
    expect(parse({ file: { name, text: 'a' } })).toEqual(nothing);
  for (const text of ['', 7, 'x'.repeat(4 * 1024 * 1024 + 1)])
    expect(parse({ file: { name: 'a.txt', text } })).toEqual(nothing);
});
