import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differenceOf, type DigestedFile } from './tree-difference.ts';

/** A file with one of some names and contents; its part depends on both. */
const file = fc.tuple(fc.nat(40), fc.nat(2)).map(([name, content]): DigestedFile => {
  const place = `f${String(name).padStart(3, '0')}`;
  return { place, size: content, modifiedAt: 1, part: `${place}=${content}`.padEnd(16) };
});

const files = fc
  .uniqueArray(file, { selector: ({ place }) => place, maxLength: 40 })
  .map((all) => all.toSorted((a, b) => (a.place < b.place ? -1 : 1)));

const page = { after: '', through: null };
const partsOf = (all: readonly DigestedFile[]): string => all.map(({ part }) => part).join('');
const bare = ({ place, size, modifiedAt }: DigestedFile) => ({ place, size, modifiedAt });

describe('the difference of a range of files', () => {
  test('contains all current files together with the unchanged ones', () => {
    fc.assert(
      fc.property(files, files, (before, now) => {
        const told = differenceOf(page, now, { digest: '', parts: partsOf(before), most: 2000 });

        const { differences = [], files: listed = [] } = told ?? {};
        const isInside = ({ place }: { readonly place: string }): boolean =>
          differences.some(
            ({ after, through }) => place > after && (through === null || place <= through),
          );
        const kept = before.filter((one) => !isInside(one)).map(bare);
        expect(listed.every(isInside)).toBe(true);
        expect([...kept, ...listed].toSorted((a, b) => (a.place < b.place ? -1 : 1))).toEqual(
          now.map(bare),
        );
        for (const [at, { after }] of differences.entries())
          if (at > 0) expect(after > (differences[at - 1]?.through ?? '~')).toBe(true);
      }),
    );
  });

  const many = Array.from({ length: 1000 }, (_, at): DigestedFile => {
    const place = `f${String(at).padStart(4, '0')}`;
    return { place, size: 1, modifiedAt: 1, part: place.padEnd(16) };
  });
  /** One in this many files has changed. */
  const changed = (every: number): readonly DigestedFile[] =>
    many.map((one, at) => (at % every === 0 ? { ...one, size: 2, part: `${one.part}!` } : one));

  test('is found with twice as many files as have changed', () => {
    const told = differenceOf(page, changed(100), { digest: '', parts: partsOf(many), most: 1000 });

    expect(told?.differences).toHaveLength(10);
    expect(told?.files).toHaveLength(20);
  });

  test.each([
    ['most files', 2],
    ['files in more places than 200', 4],
  ])('is the whole range when %s have changed', (_, every) => {
    const told = differenceOf(page, changed(every), {
      digest: '',
      parts: partsOf(many),
      most: 1000,
    });

    expect(told?.differences).toEqual([page]);
    expect(told?.files).toHaveLength(1000);
  });

  test('is not given if it would list too many files', () => {
    const asked = { digest: '', parts: partsOf(many), most: 19 };

    expect(differenceOf(page, changed(100), asked)).toBeUndefined();
  });
});
