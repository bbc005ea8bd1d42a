import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBelow, isSpelled } from '../filesystems/index.ts';
import { createReferenceCheck } from './references.ts';
import { spell } from './spelling.ts';

const roots = ['file:///media/films', 'file:///media/a%20b'];
const check = createReferenceCheck({
  roots: () => [...roots, 'file:///media/hidden', 's3://shelf/films'],
  mayWrite: (pluginId) => pluginId !== 'reader',
  mayName: (pluginId, uri) => pluginId === 'own' || isBelow(uri, 'file:///media/films/Kids'),
  serves: (pluginId, scheme) => pluginId === 'store' && scheme === 's3',
  mayFetch: (pluginId, url) => pluginId === 'own' && url.startsWith('https://a.example/'),
});
const kindOf = (uri: string, pluginId: string | null = 'own'): string =>
  check({ pluginId, uri, roots }).kind;

describe('a reference', () => {
  test.each([
    ['file:///media/films/One.png', 'file:///media/films/One.png'],
    [
      'FILE://localhost//media/./films/One (1999)/a%2Db.png',
      'file:///media/films/One%20(1999)/a-b.png',
    ],
    ['file:///media/films/%FF.png', 'file:///media/films/%FF.png'],
    ['HTTPS://A.example/x y.png', 'https://a.example/x%20y.png'],
    ['s3://shelf/films/One.png', 's3://shelf/films/One.png'],
  ])('has one spelling: %s', (text, uri) => {
    expect(spell(text)?.uri).toBe(uri);
  });

  test.each([
    '/media/films/One.png',
    'file:/media/films/One.png',
    'file://nas/media/films/One.png',
    'file:///media/films/../hidden/One.png',
    'file:///media/films/%2e%2E/hidden/One.png',
    'file:///media/films/..%2fhidden/One.png',
    'file:///media/films/One.png%00.jpg',
    'file:///media/films/One.png#page',
    'file:///media/films/%FF/../x',
    's3://shelf/../films',
    's3://shelf/a%2E%2E',
    'https:media',
    'https:/\\a.example',
    'javascript:alert(1)',
    `file:///${'a'.repeat(20_000)}`,
  ])('that is not a file or an address is refused: %s', (text) => {
    const named = spell(text);
    expect(named === null || !roots.some((root) => isBelow(named.uri, root))).toBe(true);
    expect(kindOf(text)).toBe('refused');
  });

  test('has the index of a picture in its file', () => {
    expect(spell('file:///media/films/song.mp3#artwork=12')).toEqual({
      scheme: 'file',
      uri: 'file:///media/films/song.mp3',
      picture: 12,
    });
  });

  test('may be named by the plugin only below a root of the item’s own library, and within its scope', () => {
    expect(kindOf('file:///media/films/One.png')).toBe('library');
    expect(kindOf('file:///media/a b/One.png')).toBe('library');
    expect(kindOf('file:///media/films/One.mp3#artwork=0')).toBe('library');
    expect(kindOf('file:///media/hidden/One.png')).toBe('refused');
    expect(kindOf('file:///media/hidden/One.mp3#artwork=0')).toBe('refused');
    expect(kindOf('file:///media/films')).toBe('refused');
    expect(kindOf('file:///media/filmsX/One.png')).toBe('refused');
    expect(kindOf('file:///media/films/One.png', 'narrow')).toBe('refused');
    expect(kindOf('file:///media/films/Kids/One.png', 'narrow')).toBe('library');
    expect(kindOf('file:///media/films/One.png', null)).toBe('library');
  });

  test('of another scheme is for the plugin that serves it, and never in another library', () => {
    expect(kindOf('s3://posters/One.png', 'store')).toBe('served');
    expect(kindOf('s3://posters/One.png')).toBe('refused');
    expect(kindOf('s3://shelf/films/One.png', 'store')).toBe('refused');
    expect(kindOf('s3://posters/One.mp3#artwork=0', 'store')).toBe('refused');
  });

  test('of the web is for the plugin that may fetch it', () => {
    expect(kindOf('https://a.example/1.png')).toBe('web');
    expect(kindOf('https://b.example/1.png')).toBe('refused');
    expect(kindOf('https://a.example/1.png', 'narrow')).toBe('refused');
    expect(kindOf('https://a.example/1.png', null)).toBe('refused');
  });
});

describe('any text that a plugin writes', () => {
  const piece = fc.oneof(
    fc.constantFrom('media', 'films', 'hidden', '..', '.', '', 'One.png', 'a b', 'a%20b'),
    fc.constantFrom(
      '%2e%2e',
      '%2E.',
      '.%2e',
      '%2F',
      '%5c',
      '%00',
      '\\',
      '#artwork=0',
      '?',
      'é',
      'é',
    ),
    fc.string({ maxLength: 6 }),
  );
  const start = fc.constantFrom(
    ...['file://', 'FILE:///', 'file:', 'file://localhost/', 'file://nas/', 'file:///media/films/'],
  );
  const claims = fc
    .tuple(start, fc.array(piece, { maxLength: 8 }))
    .map(([head, names]) => head + names.join('/'));

  test('if accepted, has one spelling and lies below a root when it is resolved', () => {
    fc.assert(
      fc.property(claims, (uri) => {
        const verdict = check({ pluginId: 'own', uri, roots });
        if (verdict.kind === 'refused') return;
        expect(verdict.kind).toBe('library');
        expect(isSpelled(verdict.uri)).toBe(true);
        const resolved = new URL(verdict.uri).pathname.replaceAll(/%(..)/g, (_, byte: string) =>
          String.fromCharCode(Number.parseInt(byte, 16)),
        );
        const parents = ['/media/films/', '/media/a b/'];
        expect(parents.some((parent) => resolved.startsWith(parent))).toBe(true);
        expect(resolved.split('/').slice(1)).not.toContain('..');
        expect(spell(verdict.uri)?.uri).toBe(verdict.uri);
      }),
      { numRuns: 3000 },
    );
  });
});
