import type { MediaItem } from '@vitrine/plugin-api';
import { expect, test } from 'vitest';
import { copyOf } from './src/copy.ts';
import { pairsOf } from './src/pairs.ts';
import { signsOf } from './src/signs.ts';

interface Given {
  readonly title?: string;
  readonly metadata?: MediaItem['metadata'];
  readonly size?: number;
  readonly duration?: number | null;
  readonly edition?: string | null;
}

function item(id: string, given: Given = {}): MediaItem {
  const { title = 'Heat', metadata = {}, size = 4e9, duration = null, edition = null } = given;
  return {
    ...{ id, libraryId: 'films', libraryName: 'Films', title, metadata, certification: null },
    ...{ addedAt: '', updatedAt: '', assets: {}, linkedEntities: [] },
    playback: { completed: false, position: 0, duration: 0 },
    ...{ favourite: false, myRating: null, playCount: 0, lastPlayedAt: null },
    files: [
      {
        ...{ id, uri: '', filename: '', extension: 'mkv', mimeType: '', mediaKind: 'video' },
        ...{ classification: 'primary', edition, partNumber: null, size, duration, fileInfo: {} },
      },
    ],
  };
}

/** The reasons for which two items are the same. */
function reasonsFor(one: Given, other: Given): readonly string[] {
  const known = new Set(signsOf(item('1', one)).map(({ text }) => text));
  return signsOf(item('2', other))
    .filter(({ text }) => known.has(text))
    .map(({ reason }) => reason);
}

test.each<[string, Given, Given, readonly string[]]>([
  [
    'a title without its case, accents and signs, and the year',
    { title: 'Amélie: the FILM', metadata: { year: 2001 } },
    { title: 'amelie – the film', metadata: { year: 2001 } },
    ['title'],
  ],
  ['another year', { metadata: { year: 1995 } }, { metadata: { year: 2002 } }, []],
  ['two unknown years', {}, {}, []],
  [
    'titles without a letter',
    { title: '???', metadata: { year: 1 } },
    { title: '!!!', metadata: { year: 1 } },
    [],
  ],
  [
    'an id, bare or with its confidence',
    { title: 'Heat', metadata: { ids: { imdb: 'tt0113277' } } },
    { title: 'Fuego', metadata: { ids: { imdb: { id: 'tt0113277', confidence: 1 } } } },
    ['ids'],
  ],
  [
    'the id of a show on two of its episodes',
    { metadata: { ids: { tvdb: 7 }, series: 'A', season: 1, episode: 1 } },
    { metadata: { ids: { tvdb: 7 }, series: 'A', season: 1, episode: 2 } },
    [],
  ],
  [
    'an episode by its numbers',
    { title: 'Pilot', metadata: { series: 'A', season: 1, episode: 1 } },
    { title: 'The first one', metadata: { series: 'A', season: 1, episode: 1 } },
    ['title'],
  ],
  [
    'the first tracks of two albums',
    { title: 'Intro', metadata: { year: 1999, album: 'One' } },
    { title: 'Intro', metadata: { year: 1999, album: 'Two' } },
    [],
  ],
  [
    'size and duration',
    { title: 'A', size: 700, duration: 5400.2 },
    { title: 'B', size: 700, duration: 5399.9 },
    ['file'],
  ],
  ['a size without a duration', { title: 'A', size: 700 }, { title: 'B', size: 700 }, []],
])('%s', (_, one, other, reasons) => {
  expect(reasonsFor(one, other)).toEqual(reasons);
});

test('no title makes a key that is too long, or that looks like another key', () => {
  const title = `x/:../\uD800\u202E${'𝒳y'.repeat(5000)}`;
  const [sign] = signsOf(item('1', { title, metadata: { year: 2001 } }));

  expect(sign?.text).toMatch(/^title:[\p{L}\p{N}]{1,100}:2001$/u);
});

test('an edition is told apart, and copies of one version stand against its best', () => {
  const cut = copyOf(item('cut', { edition: 'Director’s Cut', size: 9 }));
  const [small, large] = [1, 2].map((size) => copyOf(item(`plain-${size}`, { size })));

  expect(pairsOf([small!, cut, large!], 'title')).toEqual([
    { worse: 'plain-2', better: 'cut', reason: 'title', isVersion: true },
    { worse: 'plain-1', better: 'plain-2', reason: 'title', isVersion: false },
  ]);
});

test('twenty-one items of one name are not taken for copies', () => {
  const copies = Array.from({ length: 21 }, (_, at) => copyOf(item(String(at))));

  expect(pairsOf(copies, 'title')).toEqual([]);
  expect(pairsOf(copies.slice(1), 'title')).toHaveLength(19);
});
