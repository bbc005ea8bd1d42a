import { expect, test } from 'vitest';
import { createServerPlaces } from './server-places.ts';

const places = createServerPlaces(['file:///srv/My%20films', 'file:///mnt/a', 's3://bucket/films']);
const kept = (value: string) => [
  places.withoutAny({ value }),
  places.readMap(JSON.stringify({ value })),
];

test.each([
  '/srv/My films/a.mkv',
  'file:///srv/My%20films/a.mkv',
  'FILE:/elsewhere/a.mkv',
  'file:%2F%2F%2Fsrv%2FMy%20films',
  'file%3A%2F%2F%2Felsewhere',
  'see /srv%2FMy%20films%2Fa.mkv',
  '%2Fmnt%2Fa%2Fb.mkv',
  '/%6dnt/a',
  '//mnt/a/b.mkv',
  '/mnt//a/./b.mkv',
  '/mnt/./a',
  'Source:/mnt/a/b.mkv',
  'vlc:///mnt/a/b.mkv',
  's3://bucket/films/a.mkv',
])('a value that names a place as %s is left out', (value) => {
  expect(kept(value)).toEqual([{}, {}]);
});

test.each([
  'https://example.org/mnt/a',
  'https://mnt/a/b',
  'https://example.org//mnt/a?to=%2F',
  'before/mnt/a',
  '/mnt/another',
  '100%25 of it',
  '%zz',
  'A profile: / of a film',
])('%s names no place', (value) => {
  expect(kept(value)).toEqual([{ value }, { value }]);
});

test('a value of slashes and escapes is read in a moment', () => {
  const value = `${'/'.repeat(50_000)}${'%2F.'.repeat(50_000)}`;

  expect(kept(value)).toEqual([{ value }, { value }]);
});
