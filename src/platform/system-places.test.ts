import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { overlappingPlace, systemPlaces } from './reserved-places.ts';

test('SECURITY.md names the folders of the system that no library may have, and no other', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../SECURITY.md'), 'utf8');
  const [, sentence = ''] = /and except (`\/proc`.*)$/m.exec(page) ?? [];

  const named = [...sentence.matchAll(/`([^`]+)`(?: \(but `([^`]+)`\))?/g)].map(
    ([, place, except]) => [place, except],
  );

  expect(named).toEqual(systemPlaces.map((place) => [place.path, place.except]));
});

test.each([
  '/',
  '/etc',
  '/etc/ssl',
  '/run',
  '/run/secrets',
  '/usr',
  '/usr/lib',
  '/boot',
  '/proc/1',
])('%s cannot be a root', (folder) => {
  expect(overlappingPlace(systemPlaces, folder)).toBeDefined();
});

test.each([
  path.join('/home', 'films'),
  '/var/lib/media',
  '/srv',
  '/mnt/films',
  '/run/media/ada/disk',
  '/dev/shm',
  '/usr/local/films',
])('%s can be a root', (folder) => {
  expect(overlappingPlace(systemPlaces, folder)).toBeUndefined();
});
