import { expect, test } from 'vitest';
import { choosePicture } from '../tables/shown-picture.ts';
import { progressOf, tileWords } from './tile.ts';

const bridge = { series: 'Harbour', season: 2, episode: 3 };

test.each([
  ['tv', 'The Long Bridge', bridge, 'Harbour', 'S2 E3 · The Long Bridge'],
  ['tv', 'Finale', { ...bridge, episodes: [3, 4] }, 'Harbour', 'S2 E3-4 · Finale'],
  ['tv', 'Harbour S02E03', bridge, 'Harbour', 'S2 E3'],
  [
    'tv',
    'Harbour 2020-05-01',
    { series: 'Harbour', airDate: '2020-05-01' },
    'Harbour',
    '2020-05-01',
  ],
  ['tv', 'Harbour Master', bridge, 'Harbour', 'S2 E3 · Harbour Master'],
  ['tv', 'Round', { series: 'Ball', absoluteEpisode: 12 }, 'Ball', 'E12 · Round'],
  ['tv', 'Harbour S02E13.5', { ...bridge, episode: 13.5 }, 'Harbour', 'S2 E13.5'],
  ['tv', 'Ball E07.5', { series: 'Ball', absoluteEpisode: 7.5 }, 'Ball', 'E7.5'],
  ['tv', 'Alone', { season: 1, episode: 1 }, 'Alone', 'S1 E1'],
  ['music', 'Halo', { artist: 'Beyoncé', album: 'I Am' }, 'Halo', 'Beyoncé'],
  ['music', 'Halo', { artists: ['One', 'Two'] }, 'Halo', 'One, Two'],
  ['books', 'Emma', { author: 'Jane Austen' }, 'Emma', 'Jane Austen'],
  ['movies', 'Brazil', { edition: "Director's Cut" }, 'Brazil', "Director's Cut"],
  ['movies', 'Brazil', { edition: 7, author: {} }, 'Brazil', null],
])(
  'an item of a %s library named %s with %j reads %s / %s',
  (type, name, fields, title, subtitle) => {
    expect(tileWords(name, fields, type)).toMatchObject({ title, subtitle });
  },
);

test('an episode reads the name of its show in another language, and its title without the stored name', () => {
  expect(tileWords('Harbour S02E03', bridge, 'tv', 'Hafen')).toMatchObject({
    title: 'Hafen',
    subtitle: 'S2 E3',
  });
  expect(tileWords('Brazil', {}, 'movies', 'Hafen')).toMatchObject({ title: 'Brazil' });
});

test('a type of library that is not known is the type of the tile', () => {
  expect(tileWords('A', {}, 'toString')).toEqual({ type: 'toString', title: 'A', subtitle: null });
});

test('a poster is shown before a backdrop, and an address elsewhere is not shown', () => {
  const assets = JSON.stringify({
    backdrop: '/api/assets/b',
    poster: '/api/assets/p',
    cover: 'https://elsewhere.example/x.jpg',
  });

  expect(choosePicture({ assets, asset_aspects: '{"poster":"square"}' })).toEqual({
    id: 'p',
    aspect: 'square',
  });
  expect(choosePicture({ assets: '{"cover":"https://x"}', asset_aspects: null })).toBeNull();
});

test('progress is between 0 and 1', () => {
  expect(progressOf({ position: 30, duration: 90 })).toBe(0.333);
  expect(progressOf({ position: 100, duration: 90 })).toBe(1);
  expect(progressOf({ position: 5, duration: 0 })).toBe(0);
});
