import { expect, test } from 'vitest';
import type { Item } from './requests.ts';
import { lengthOf, partsOf, placeOf, withDuration } from './timeline.ts';

type MediaFile = Item['files'][number];

const file = (id: string, more: Partial<MediaFile> = {}): MediaFile =>
  ({
    ...{ id, type: 'media', status: 'active', mediaKind: 'audio', classification: 'primary' },
    ...{ edition: null, partNumber: null, duration: 40, extension: 'mp3', ...more },
  }) as MediaFile;

const book = [1, 2, 3].map((number) => file(`part-${number}`, { partNumber: number }));

test('the parts of one edition are one line of time', () => {
  const other = file('cut', { partNumber: 1, edition: 'Director’s Cut' });
  const parts = partsOf([...book, other], { isAudiobook: false });
  expect(parts.map(({ fileId, start }) => [fileId, start])).toEqual([
    ['part-1', 0],
    ['part-2', 40],
    ['part-3', 80],
  ]);
  expect(lengthOf(parts)).toBe(120);
  expect(partsOf([...book, other], { fileId: 'cut', isAudiobook: false })).toHaveLength(1);
});

test('files without numbers are versions of a film, and parts of an audiobook', () => {
  const files = [file('a'), file('b'), file('c', { extension: 'flac' })];
  expect(partsOf(files, { isAudiobook: false })).toHaveLength(1);
  expect(partsOf(files, { isAudiobook: true }).map(({ fileId }) => fileId)).toEqual(['a', 'b']);
});

test('an extra and a file that is missing are not parts', () => {
  const files = [...book, file('trailer', { classification: 'trailer' })];
  expect(partsOf(files, { isAudiobook: false })).toHaveLength(3);
  const trailer = partsOf(files, { fileId: 'trailer', isAudiobook: false });
  expect(trailer.map(({ fileId }) => fileId)).toEqual(['trailer']);
  expect(partsOf([file('gone', { status: 'missing' })], { isAudiobook: false })).toEqual([]);
});

test('a position lies in one part', () => {
  const parts = partsOf(book, { isAudiobook: true });
  expect(placeOf(parts, 0)).toEqual({ index: 0, at: 0 });
  expect(placeOf(parts, 39.5)).toEqual({ index: 0, at: 39.5 });
  expect(placeOf(parts, 40)).toEqual({ index: 1, at: 0 });
  expect(placeOf(parts, 500)).toEqual({ index: 2, at: 420 });
});

test('a length that the media tell moves the parts behind it', () => {
  const unknown = partsOf([file('a', { duration: null }), file('b')], { isAudiobook: true });
  expect(placeOf(unknown, 30)).toEqual({ index: 0, at: 30 });
  const known = withDuration(unknown, 0, 60);
  expect(known.map(({ start }) => start)).toEqual([0, 60]);
  expect(withDuration(known, 0, Infinity)).toBe(known);
});

test('the second version of one part goes with the second of another', () => {
  const versions = [1, 2].flatMap((partNumber) =>
    ['a', 'b'].map((version) => file(`${version}${String(partNumber)}`, { partNumber })),
  );
  const lineOf = (fileId: string) =>
    partsOf(versions, { fileId, isAudiobook: false }).map((part) => part.fileId);

  expect(lineOf('a2')).toEqual(['a1', 'a2']);
  expect(lineOf('b1')).toEqual(['b1', 'b2']);
  expect(lineOf('b2')).toEqual(['b1', 'b2']);
});
