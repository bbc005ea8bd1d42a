import { expect, test } from 'vitest';
import { changesOf, genresField, metadataFields, writerOf } from './edit-fields.ts';

const fields = [
  { name: 'title', input: 'text', value: 'Alien' },
  ...metadataFields({ year: 1979, plot: 'A ship.', rating: 6.4, certification: 'PG' }, ['year']),
] as const;

test('offers what there is, each in its own kind of field', () => {
  expect(fields.map(({ name, input }) => `${name} ${input}`)).toEqual([
    'title text',
    'metadata.year number',
    'metadata.plot long',
    'metadata.rating number',
  ]);
});

test('a number that the server has stays one, also of a field that is not known here', () => {
  const [, track] = metadataFields({ track: 3 }, []);
  expect(track).toEqual({ name: 'metadata.track', input: 'number', value: '3' });
});

test('a date that is not a whole day is edited as text', () => {
  const [field] = metadataFields({ releaseDate: '1979' }, ['releaseDate']);
  expect(field).toMatchObject({ input: 'text', value: '1979' });
});

test('sends what was changed only, numbers as numbers, and null for what was emptied', () => {
  const typed: Readonly<Record<string, string>> = {
    title: ' Alien ',
    'metadata.year': '1980',
    'metadata.plot': '',
    'metadata.rating': '6.4',
  };
  expect(changesOf(fields, (name) => typed[name] ?? '')).toEqual({
    own: {},
    metadata: { year: 1980, plot: null },
  });
  expect(
    changesOf(fields, (name) => fields.find((one) => one.name === name)?.value ?? ''),
  ).toBeNull();
});

test('sends genres as a list', () => {
  const genres = [genresField(['Horror', 'Drama'])];
  expect(changesOf(genres, () => 'Horror, , Comedy ')?.metadata).toEqual({
    genres: ['Horror', 'Comedy'],
  });
  expect(changesOf(genres, () => '')?.metadata).toEqual({ genres: null });
  expect(changesOf(genres, () => 'Horror, Drama')).toBeNull();
});

test('names the plugin that wrote a field', () => {
  const provenance = [
    { pluginId: 'identify', path: 'fields' },
    { pluginId: 'sidecars', path: 'fields.year' },
    { pluginId: 'tmdb', path: 'entities.genre' },
  ];
  expect(writerOf(provenance, 'metadata.genres')).toBe('tmdb');
  expect(writerOf(provenance, 'metadata.year')).toBe('sidecars');
  expect(writerOf(provenance, 'metadata.plot')).toBe('identify');
  expect(writerOf([], 'title')).toBeNull();
});
