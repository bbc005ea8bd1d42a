import { expect, test } from 'vitest';
import { fileFacts } from './item-facts.ts';
import { byPart, discOf } from './part-order.ts';

const root = 'file:///books/Book';
const part = (path: string, part_number: number | null, more: { edition?: string } = {}) => ({
  uri: `${root}/${path.split('/').map(encodeURIComponent).join('/')}`,
  classification: 'primary',
  edition: null,
  part_number,
  ...more,
});
const paths = (files: readonly { readonly uri: string }[]) =>
  files.map(({ uri }) => decodeURIComponent(uri.slice(root.length + 1)));

test.each([
  ['CD1', 'CD2', 'CD10'],
  ['Disc 01', 'disc_02', 'DISC.3'],
  ['Book (Disc 01)', 'Book (Disc 02)', 'Book (Disc 11)'],
  ['Book - CD1', 'Book - CD2', 'Book - CD3 of 3'],
  ['Part One', 'Part Two', 'Part Three'],
  ['Teil 1', 'Teil 2', 'Teil 3'],
  ['Side A', 'Side B', 'Side C'],
  ['Part 1/CD2', 'Part 2/CD1', 'Part 2/CD2'],
])('discs are in order, and their parts in each of them: %s, %s, %s', (...discs) => {
  const files = discs.flatMap((disc) => [1, 2, 10].map((at) => part(`${disc}/${at}.mp3`, at)));

  expect(paths(files.toReversed().sort(byPart))).toEqual(paths(files));
});

test('extras come last, then editions, then files with numbers, then names', () => {
  const files = [
    part('b.mkv', null),
    part('CD1/a.mkv', 2),
    part('CD1/c.mkv', 2),
    part('CD2/b.mkv', 1),
    part('a.mkv', 1, { edition: 'Long' }),
    { ...part('A.mkv', null), classification: 'extra' },
  ];

  expect(paths(files.toReversed().sort(byPart))).toEqual(paths(files));
});

test.each(['Discovery', 'Partners', 'CDs', 'Sidewalk 2', 'Party 3', 'Season 1'])(
  'a folder named %s is not a disc',
  (name) => expect(discOf(`file:///${name}/1.mp3`)).toBe(0),
);

test('the parts of all discs make the length of an item', () => {
  const files = ['CD1/1.mp3', 'CD1/2.mp3', 'CD2/1.mp3', 'CD2/2.mp3'].map((path, at) => ({
    ...part(path, 1 + (at % 2)),
    duration: 10 ** at,
    info: {},
  }));

  expect(fileFacts(files).duration).toBe(1111);
});
