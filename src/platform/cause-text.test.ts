import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { causeIn, causeText, storedKeys } from './cause-text.ts';
import { english } from './words/index.ts';

test('each sentence of a cause is in the language of the reader, and an unknown one stays', () => {
  const cause =
    'The backup folder /srv/a b is not a folder, or lies in a file (EEXIST). Move that file away. My own words.';

  expect(causeText(cause)).toEqual({
    english: cause,
    german:
      'Der Ordner der Sicherungen /srv/a b ist kein Ordner oder liegt in einer Datei (EEXIST). Verschieben Sie diese Datei. My own words.',
  });
  expect([causeIn(cause, 'fr'), causeIn(null, 'de')]).toEqual([cause, null]);
});

test('a value that looks like a placeholder, or like a sentence, changes nothing else', () => {
  expect(causeText('Plugin {why} did not start: $& It broke.').german).toBe(
    'Das Plugin {why} startete nicht: $& It broke.',
  );
});

test.each(storedKeys.map((key) => english[key]))('the server says "%s"', (word) => {
  const pieces = word
    .split(/\{\w+\}|backup folder /)
    .flatMap((piece) => piece.split(/; (?=the)| (?=does not exist)/));
  for (const piece of pieces.map((one) => one.trim()).filter((one) => one.length > 4))
    expect(
      sources.some((text) => text.includes(piece)),
      piece,
    ).toBe(true);
});

const root = path.resolve(import.meta.dirname, '../..');
const sources = ['kernel', 'src', 'builtin-plugins']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((name) => !/test\.ts$|words\/english\.ts$/.test(name))
  .map((name) => readFileSync(path.join(root, name), 'utf8'));
