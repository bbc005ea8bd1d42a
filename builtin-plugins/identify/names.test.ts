/**
 * Names as people write them, in `names/`: one file for each type of library, one case a line. The
 * path, an arrow, then the exact expected result. An absent key may have any value; `-` means that
 * there must be none. `episode` is the number of the episode in any form of counting, `abs` and
 * `abss` are one or all numbers that count through the seasons.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createIdentifier } from './identify-file.ts';

const libraryTypes = ['movies', 'tv', 'music', 'audiobooks', 'books', 'photos'] as const;

interface Case {
  readonly path: string;
  readonly expected: Readonly<Record<string, string>>;
}

function casesOf(libraryType: string): readonly Case[] {
  const table = readFileSync(new URL(`names/${libraryType}.txt`, import.meta.url), 'utf8');
  return table
    .split('\n')
    .filter((line) => line.includes(' → '))
    .map((line) => {
      const [path = '', facts = ''] = line.split(' → ');
      const pairs = facts.split('; ').map((fact) => fact.split(/=(.*)/s).slice(0, 2));
      return { path, expected: Object.fromEntries(pairs) as Record<string, string> };
    });
}

/** The result in the form of the tables. */
function readName(libraryType: string, path: string): Readonly<Record<string, unknown>> {
  const found = createIdentifier(libraryType, 2026)?.(path);
  const { metadata = {}, title, classification, partNumber } = found ?? {};
  const { identify, episode, absoluteEpisode, episodes, absoluteEpisodes } = metadata;
  return {
    ...metadata,
    ...(typeof identify === 'object' ? identify : {}),
    title,
    class: classification,
    group: metadata['releaseGroup'],
    part: metadata['part'] ?? partNumber,
    episode: episode ?? absoluteEpisode,
    abs: absoluteEpisode ?? episode,
    episodes: episodes ?? absoluteEpisodes,
    abss: absoluteEpisodes ?? episodes,
  };
}

function written(value: unknown): string {
  if (value === undefined) return '-';
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value).replaceAll('"', '');
}

describe.each(libraryTypes)('names in a library of %s', (libraryType) => {
  test.each(casesOf(libraryType))('$path', ({ path, expected }) => {
    const found = readName(libraryType, path);

    const read = Object.keys(expected).map((key) => [key, written(found[key])]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });
});
