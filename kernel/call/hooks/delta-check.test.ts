import { describe, expect, test } from 'vitest';
import type { BundleDelta } from '../../../plugin-api/index.ts';
import { createHookRules } from './hook-rules.ts';

const rules = createHookRules();
const checkBundle = rules['pipeline.probe.afterProcess'].check;
const checkScan = rules['pipeline.scan.prepare'].check;

/** Every key that a delta may have, with every optional key inside. */
const fullDelta: Required<BundleDelta> = {
  files: {
    auxiliary: [
      {
        uri: 'file:///a.nfo',
        path: 'a.nfo',
        extension: 'nfo',
        sourcePlugin: 'sidecars',
        size: 1,
        modifiedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
  },
  fields: { title: 'Alien', year: 1979, deep: { list: [1, { a: null }] } },
  ids: { imdb: { id: 'tt0078748', confidence: 0.9, url: 'https://example.org' }, tmdb: true },
  assets: [
    {
      type: 'poster',
      uri: 'file:///a.jpg',
      source: 'sidecars',
      mimeType: 'image/jpeg',
      mediaFileId: 'f',
      aspect: 'portrait',
    },
  ],
  subtitles: [
    {
      type: 'embedded',
      language: 'en',
      format: 'srt',
      uri: 'file:///a.srt',
      streamIndex: 2,
      source: 'probe',
      mediaFileUri: 'file:///a.mkv',
      title: 'Commentary',
      isDefault: true,
      isForced: false,
      isHearingImpaired: true,
    },
  ],
  entities: {
    artist: [
      {
        name: 'Nina Simone',
        type: 'artist',
        status: 'pending',
        ids: { mb: true },
        metadata: {},
        source: 'x',
      },
      { name: 'Without a status', source: 'x' },
    ],
  },
  chapters: [
    {
      mediaFileUri: 'file:///a.mkv',
      startTime: 0,
      endTime: 60,
      title: '',
      role: 'intro',
      metadata: {},
    },
  ],
};

describe('a bundle delta', () => {
  test('may have every key that plugin-api documents', () => {
    expect(checkBundle(fullDelta)).toEqual({ ok: true, value: fullDelta, refused: [] });
  });

  test('null, undefined and {} mean no change', () => {
    expect(checkBundle(null)).toEqual({ ok: true, value: null, refused: [] });
    expect(checkBundle(undefined)).toEqual({ ok: true, value: null, refused: [] });
    expect(checkBundle({})).toEqual({ ok: true, value: {}, refused: [] });
  });

  test('is refused when it is the whole {itemId, bundle}, and the reason says how to return a delta', () => {
    const reason =
      'it is the whole {itemId, bundle}; return only what you add, for example {"fields": {"year": 1999}}, or null for no change';

    expect(checkBundle({ itemId: 'i', bundle: {} })).toEqual({ ok: false, reason });
    expect(checkBundle({ bundle: fullDelta })).toEqual({ ok: false, reason });
  });

  test.each([
    [{ title: 'x' }, 'value must not have the key "title"'],
    [{ files: { media: [] } }, 'files must not have the key "media"'],
    [{ assets: [{ type: 'poster', uri: 'x' }] }, 'assets[0] must have the key "source"'],
    [
      { assets: [{ type: 'poster', uri: 'x', source: 'y', size: 1 }] },
      'assets[0] must not have the key "size"',
    ],
    [{ assets: {} }, 'assets must be array'],
    [{ ids: { imdb: 'tt1' } }, 'ids.imdb must be true or {id, confidence?, url?}'],
    [{ ids: { imdb: { id: 'tt1', confidence: 2 } } }, 'ids.imdb.confidence must be <= 1'],
    [
      { entities: { artist: [{ name: 'x', status: 'new', source: 'y' }] } },
      'entities.artist[0].status must be one of ["pending","complete"]',
    ],
    [{ chapters: [{ startTime: -1 }] }, 'chapters[0].startTime must be >= 0'],
    [
      { files: { auxiliary: [{ uri: 'u', path: 'p', extension: '.nfo', sourcePlugin: 's' }] } },
      'files.auxiliary[0].extension must be an extension without its dot',
    ],
    [{ fields: [] }, 'fields must be object'],
  ])('%j is refused with where and why', (value, reason) => {
    expect(checkBundle(value)).toEqual({ ok: false, reason });
  });

  test('loses only the keys that are wrong, with a reason for each', () => {
    const auxiliary = [{ uri: 'u', path: 'p', extension: 'nfo', sourcePlugin: 's' }];
    const value = {
      title: 'x',
      fields: { year: 1999 },
      files: { media: [], auxiliary },
      assets: 1,
    };

    expect(checkBundle(value)).toEqual({
      ok: true,
      value: { fields: { year: 1999 }, files: { auxiliary } },
      refused: [
        'value must not have the key "title"',
        'files must not have the key "media"',
        'assets must be array',
      ],
    });
  });

  test.each(['text', 5, true, [], new Uint8Array(2)])(
    '%j is refused: it is not an object',
    (value) => {
      expect(checkBundle(value)).toEqual({
        ok: false,
        reason: 'it must be an object such as {"fields": {"year": 1999}}, or null for no change',
      });
    },
  );

  test.each(['__proto__', 'constructor', 'prototype'])(
    'is refused for the key %s at any depth',
    (key) => {
      const value: unknown = JSON.parse(`{"fields": {"a": [{"b": {"${key}": {}}}]}}`);

      expect(checkBundle(value)).toEqual({
        ok: false,
        reason: `fields.a[0].b.${key} is a key that is never allowed`,
      });
    },
  );

  test('is refused when it is nested more than 32 levels deep', () => {
    const nested = (depth: number) =>
      Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1);

    expect(checkBundle({ fields: nested(31) })).toMatchObject({ ok: true });
    expect(checkBundle({ fields: nested(32) })).toMatchObject({ ok: false });
  });

  test('is refused when a list of it is longer than a bundle can use', () => {
    const assets = Array.from({ length: 2001 }, () => ({ type: 'a', uri: 'b', source: 'c' }));

    expect(checkBundle({ assets })).toEqual({
      ok: false,
      reason: 'assets must NOT have more than 2000 items',
    });
  });
});

describe('a scan delta', () => {
  test('adds extensions, with or without a dot, and globs relative to the root', () => {
    const value = { extensions: ['cbz', 'CBR', '.zap'], patterns: ['**/*.cb7'] };

    expect(checkScan(value)).toEqual({ ok: true, value, refused: [] });
  });

  test.each([
    [{ extensions: ['a/b'] }, 'extensions[0] must be an extension such as cbz'],
    [
      { patterns: ['/etc/*'] },
      'patterns[0] must be a glob relative to the root of the library, such as **/*.cbz',
    ],
    [
      { libraryType: 'movies', extensions: [] },
      'it is the whole {libraryType, fsPlugin}; return only what you add, for example {"extensions": ["cbz"]}, or null for no change',
    ],
    [{ roots: [] }, 'value must not have the key "roots"'],
  ])('%j is refused with where and why', (value, reason) => {
    expect(checkScan(value)).toEqual({ ok: false, reason });
  });
});
