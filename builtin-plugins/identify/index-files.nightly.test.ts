import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds, sampleOf } from '../../test/support/run/nightly.ts';
import plugin from './index.ts';
import { hostileShapes } from './hostile-names.ts';
import { indexFiles } from './index-files.ts';
import { readEpisodeName } from './reading/episode-name.ts';
import { readFilmName } from './reading/film-name.ts';

const host = undefined as never; // The plugin makes no host call.
const libraryTypes = ['movies', 'tv', 'music', 'audiobooks', 'books', 'photos'] as const;

const index = async (libraryType: string, paths: readonly string[]) => {
  const files = paths.map((path) => ({ path, size: 1 }));
  return (await indexFiles({ libraryId: 'l', libraryType, files }, host)).results;
};

describe('indexer.supports', () => {
  test('accepts the six kinds of library and no others', () => {
    const supports = plugin.methods?.['indexer.supports'];
    const answers = [...libraryTypes, 'games', '', '__proto__'].map((libraryType) =>
      supports?.({ libraryType }, host),
    );

    expect(answers).toEqual([true, true, true, true, true, true, false, false, false]);
  });
});

describe('indexer.index', () => {
  test('returns one entry per file, in the order of the input', async () => {
    const results = await index('movies', ['B (2002).mkv', 'A (2001).mkv', 'B (2002).mkv']);

    expect(results.map((found) => found?.title)).toEqual(['B', 'A', 'B']);
  });

  test('returns null for every file of an unknown library type', async () => {
    expect(await index('games', ['a.bin', 'b.bin'])).toEqual([null, null]);
  });

  test('reads a batch in the same way as single files', async () => {
    const paths = ['A/Season 1/1.mkv', 'A/Season 2/1.mkv', 'B/Season 1/1.mkv', 'A/Season 1/2.mkv'];
    const alone = await Promise.all(paths.map(async (path) => (await index('tv', [path]))[0]));

    expect(await index('tv', paths)).toEqual(alone);
  });

  const part = fc.oneof(
    fc.constantFrom(
      ...'S01E02|1x02|- |(|)|[|]|{|}|2012|1080p|x264|-GRP|Season 1|E0|.|_| 03|①|第1話|🎬'.split(
        '|',
      ),
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const path = fc
    .array(
      fc.array(part, { maxLength: 10 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .map((segments) => `${segments.join('/')}.mkv`);

  test('accepts any name, and its titles are NFC and not empty', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...libraryTypes), path, async (libraryType, name) => {
        const [found] = await index(libraryType, [name]);
        const texts = JSON.stringify(found);
        expect(found?.title.trim()).not.toBe('');
        expect(found?.title.length).toBeLessThanOrEqual(1000);
        expect(texts.normalize('NFC')).toBe(texts);
        expect(texts.isWellFormed()).toBe(true);
      }),
      { numRuns: rounds(150, 1500) },
    );
  });

  const keys = new Set(
    (
      'year originalTitle sortTitle overview genres rating airDate series season episode episodes absoluteEpisode ' +
      'absoluteEpisodes part edition artist albumArtist album disc track author narrator bookSeries volume chapter ' +
      'resolution source releaseGroup duration ids identify'
    ).split(' '),
  );

  test('writes only the metadata keys of the contract', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...libraryTypes), path, async (libraryType, name) => {
        const [found] = await index(libraryType, [name]);
        expect(Object.keys(found?.metadata ?? {}).filter((key) => !keys.has(key))).toEqual([]);
        expect(Object.values(found?.metadata ?? {})).not.toContain(undefined);
      }),
      { numRuns: rounds(80, 500) },
    );
  });

  test('returns decomposed names in NFC', async () => {
    const [found] = await index('movies', ['Ame\u0301lie (2001).mkv']);

    expect(found?.title).toBe('Am\u00e9lie');
  });
});

describe('the time that a name takes', () => {
  const context = { season: undefined, hasSeriesFolder: true, thisYear: 2026, isFolder: false };
  const cpuMs = (work: () => void): number => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  /** The least of three: the machine is shared, and the first run compiles. */
  const least = (work: () => void): number => Math.min(cpuMs(work), cpuMs(work), cpuMs(work));

  test.each(sampleOf(Object.entries(hostileShapes), 8))('is linear for %s', (_, make) => {
    const long = make(65_536);

    // A quadratic reader takes seconds for these; a linear one takes 30 ms on an idle machine.
    expect(least(() => readEpisodeName(long, context))).toBeLessThan(500);
    expect(least(() => readFilmName(long, 2026))).toBeLessThan(500);
  });

  test('is short for 4,096 characters of any repetition', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'S01E02|1x02| - |(|)|[|]|2012|1080p|x264|-GRP|Season 1|.|_|03|第1話|a|v1|aka|, the|by |№|--|e'.split(
          '|',
        ),
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
    );
    const shape = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const long = shape.map((text) => text.padEnd(1, 'a').repeat(4096).slice(0, 4096));
    fc.assert(
      fc.property(long, (text) => {
        // 10 ms on an idle machine; this one may be busy, and the first run compiles.
        expect(least(() => readEpisodeName(text, context))).toBeLessThan(40);
        expect(least(() => readFilmName(text, 2026))).toBeLessThan(40);
      }),
      { numRuns: rounds(60, 200) },
    );
  });

  test.each(Object.entries(hostileShapes))('is short for a path of %s', async (_, make) => {
    const name = make(4096);
    for (const libraryType of libraryTypes) {
      const paths = [`${name}.mkv`, `${name}/${name}.mkv`, `${'a/'.repeat(2000)}${name}.mkv`];
      const start = process.cpuUsage();
      const results = await index(libraryType, paths);
      const { user, system } = process.cpuUsage(start);
      expect(results).toHaveLength(3);
      expect((user + system) / 1000).toBeLessThan(150);
    }
  });
});
