import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PageInput } from './src/bucket.ts';
import { byKey, placeOf } from './src/key-order.ts';
import type { S3Object, S3Page } from './src/listing.ts';
import { isNameable } from './src/place.ts';
import { walkTree } from './src/tree.ts';

const object = (key: string): S3Object => ({ key, size: 1, modifiedAt: 1, isArchived: false });

/** The order of S3, by definition: bytes of UTF-8. */
const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A bucket with these keys and page size, which counts its pages. */
function bucketOf(keys: readonly string[], pageSize: number) {
  const sorted = [...new Set(keys)].sort(byBytes);
  let requests = 0;
  async function page({ prefix, isShallow, startAfter = '', token }: PageInput): Promise<S3Page> {
    requests += 1;
    const after = token ?? startAfter;
    const names = sorted
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const slash = isShallow === true ? key.indexOf('/', prefix.length) : -1;
        return slash === -1 ? key : key.slice(0, slash + 1);
      });
    const rest = [...new Set(names)].filter((name) => byBytes(name, after) > 0 || after === '');
    const given = rest.slice(0, pageSize);
    const isFolder = (name: string) => isShallow === true && name.endsWith('/') && name !== prefix;
    return {
      files: given.filter((name) => !isFolder(name)).map(object),
      folders: given.filter(isFolder),
      next: rest.length > given.length ? (given.at(-1) ?? null) : null,
    };
  }
  return { bucket: { page }, requests: () => requests };
}

async function walked(
  keys: readonly string[],
  {
    after = '',
    prefix = '',
    pageSize = 3,
  }: { after?: string; prefix?: string; pageSize?: number } = {},
) {
  const { bucket, requests } = bucketOf(keys, pageSize);
  const places: string[] = [];
  const hidden: string[] = [];
  const isLeftOut = (place: string) => place.includes('.left');
  for await (const step of walkTree({ bucket, prefix, after, isLeftOut })) {
    if (step.kind === 'file') places.push(step.place);
    if (step.kind === 'hidden') hidden.push(step.key);
  }
  return { places, hidden, requests: requests() };
}

const expected = (keys: readonly string[], prefix = '', after = ''): readonly string[] =>
  [...new Set(keys)]
    .filter((key) => key.startsWith(prefix) && !key.endsWith('/') && isNameable(key))
    .map(placeOf)
    .filter((place) => place > after && !place.includes('.left'))
    .sort();

const name = fc.oneof(
  fc.constantFrom(
    'a',
    'a b',
    'a!',
    'a&b',
    "a'",
    'Ä',
    'b',
    'b~',
    'a.mkv',
    '.left',
    '😀',
    '\ufffd',
    '(1)',
    '%41',
    '+',
  ),
  fc.string({ minLength: 0, maxLength: 3 }).map((text) => text.replaceAll('/', '')),
);
const key = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('a walk', () => {
  test('gives every file once, in the order of URIs, for any keys and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(key, { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        async (keys, pageSize) => {
          const kept = keys.filter((one) => one !== '' && one.isWellFormed());
          expect((await walked(kept, { pageSize })).places).toEqual(expected(kept));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('gives from any place on what a walk from the start gives after it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 30 }), fc.nat(), async (keys, at) => {
        const kept = keys.filter((one) => one !== '' && one.isWellFormed());
        const places = expected(kept).flatMap((place) => [
          place,
          place.slice(0, place.lastIndexOf('/') + 1),
        ]);
        const after = places[at % Math.max(1, places.length)] ?? '';
        expect((await walked(kept, { after })).places).toEqual(expected(kept, '', after));
      }),
      { numRuns: 300 },
    );
  });

  test('stays below its prefix, and reports keys without a URI', async () => {
    const keys = [
      'films/a.mkv',
      'films//b.mkv',
      'films/../c.mkv',
      'films/',
      'filmsd.mkv',
      'other/e.mkv',
    ];

    const { places, hidden } = await walked(keys, { prefix: 'films/', pageSize: 10 });

    expect(places).toEqual(['films/a.mkv']);
    expect(hidden.sort()).toEqual(['films/../c.mkv', 'films//b.mkv']);
  });

  test('needs hardly more requests than there are pages of objects', async () => {
    const films = Array.from({ length: 3000 }, (_, at) => `Film ${at}`).flatMap((film) => [
      `films/${film}/${film}.mkv`,
      `films/${film}/${film}.srt`,
    ]);

    const { places, requests } = await walked(films, { pageSize: 1000 });

    expect(places).toHaveLength(6000);
    // 6 pages of objects, the names of the films, and requests that are begun twice.
    expect(requests).toBeLessThan(25);
  });
});

test('keys are ordered as the bytes of UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      expect(Math.sign(byKey(one, other))).toBe(Math.sign(byBytes(one, other)));
    }),
  );
});
