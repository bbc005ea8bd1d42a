import { expect, test } from 'vitest';
import {
  bytesHere,
  bytesOf,
  fits,
  goingOn,
  isComing,
  nextFile,
  partAt,
  partBytesOf,
  partsOfFile,
  withPart,
} from './kept.ts';
import type { Kept, KeptFile } from './kept.ts';

const mebibyte = 1_048_576;
const fileOf = (size: number, parts = 0): KeptFile => ({
  ...{ fileId: `file-${size}`, size, type: 'video/mp4', etag: null },
  ...{ partBytes: partBytesOf(size), parts },
});

test.each([1, 4 * mebibyte, 4 * mebibyte + 1, 700_000_001, 90_000_000_000])(
  'the parts of %i bytes are each byte once, and at most 1024',
  (size) => {
    const file = fileOf(size);
    const count = partsOfFile(file);
    expect(count).toBeLessThanOrEqual(1024);
    let next = 0;
    for (let index = 0; index < count; index += 1) {
      const { first, last } = partAt(file, index);
      expect(first).toBe(next);
      expect(last).toBeGreaterThanOrEqual(first);
      next = last + 1;
    }
    expect(next).toBe(size);
  },
);

test('an item is ready when the last part of its last file came', () => {
  const [one, other] = [fileOf(5 * mebibyte, 2), fileOf(3)];
  const book = { files: [one, other], state: 'wanted' } as unknown as Kept;
  expect([bytesHere(book), bytesOf(book)]).toEqual([5 * mebibyte, 5 * mebibyte + 3]);
  expect(nextFile(book)).toBe(other);
  const whole = withPart(book, other.fileId);
  expect([whole.state, nextFile(whole), bytesHere(whole)]).toEqual([
    'ready',
    undefined,
    5 * mebibyte + 3,
  ]);
});

test('an item that is planned has the size of the files that would play it, and goes on as it was', () => {
  const media = (id: string, size: number, classification = 'primary') => ({
    ...{ id, size, classification, type: 'media', status: 'active', mediaKind: 'video' },
    ...{ edition: null, partNumber: null, duration: 40, extension: 'mp4' },
  });
  const files = [media('film', 700), media('trailer', 90, 'trailer')];
  const film = {
    item: { files, linkedEntities: [] },
    files: [],
    state: 'paused',
  } as unknown as Kept;
  expect([bytesOf(film), bytesHere(film)]).toEqual([700, 0]);
  expect([goingOn(film).state, isComing(film), isComing(goingOn(film))]).toEqual([
    ...['planned', false, true],
  ]);
  const begun = { ...film, files: [fileOf(5 * mebibyte, 1)], fault: 'space' } as const;
  expect(goingOn({ ...begun, state: 'failed' })).toMatchObject({ state: 'wanted', fault: null });
});

test('what fits leaves the device some room', () => {
  expect(fits(100, undefined)).toBe(true);
  expect(fits(100 * mebibyte, 100 * mebibyte)).toBe(false);
  expect(fits(100 * mebibyte, 120 * mebibyte)).toBe(true);
});
