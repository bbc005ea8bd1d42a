/** The tables of discs, whole and hostile. */
import { describe, expect, test } from 'vitest';
import { madeClip, madeIfo, madePlaylist } from '../../../test/support/media/made-discs.ts';
import { memorySource } from '../../media-headers/bytes/byte-source.ts';
import { readClipLanguages } from './clip-streams.ts';
import { readTitleSet } from './ifo.ts';
import { readPlaylist } from './playlist.ts';

const cell = (first: number, last: number, seconds: number) => ({ first, last, seconds });
const film = {
  titles: [
    { cells: [cell(0, 9, 20)], chapters: [1] },
    { cells: [cell(0, 99, 61), cell(100, 199, 3600.4), cell(200, 299, 30)], chapters: [1, 2, 3] },
  ],
  audio: ['en', 'de'],
  subtitles: [{ language: 'fr' }, { language: 'en', use: 5 }, { language: 'en', use: 9 }],
};
const read = (bytes: Uint8Array, sectors = 300) => readTitleSet(memorySource(bytes), sectors);

/** Each beginning of the bytes, and bytes with one that is not right. */
function* broken(bytes: Buffer): Generator<Buffer> {
  for (let length = 0; length < bytes.length; length += 7) yield bytes.subarray(0, length);
  for (let at = 0; at < bytes.length; at += 3)
    for (const value of [0, 0x7f, 0xff]) {
      const other = Buffer.from(bytes);
      other[at] = value;
      yield other;
    }
}

describe('the IFO of a title set', () => {
  test('has the longest title, its chapters and its languages', async () => {
    const { seconds, chapters, streams } = await read(madeIfo(film));

    expect(seconds).toBeCloseTo(3691.4, 2);
    expect(chapters.map(({ first, start }) => [first, Math.round(start)])).toEqual([
      [0, 0],
      [100, 61],
      [200, 3661],
    ]);
    expect(Object.fromEntries(streams)).toEqual({
      [0xbd80]: { kind: 'audio', codec: 'ac3', language: 'en' },
      [0xbd81]: { kind: 'audio', codec: 'ac3', language: 'de' },
      [0xbd20]: { kind: 'subtitle', codec: 'dvd_subtitle', language: 'fr' },
      [0xbd21]: {
        ...{ kind: 'subtitle', codec: 'dvd_subtitle', language: 'en', isHearingImpaired: true },
      },
      [0xbd22]: { kind: 'subtitle', codec: 'dvd_subtitle', language: 'en', isForced: true },
    });
  });

  test('counts no cell twice, no other angle, and none beyond the VOBs', async () => {
    const again = Array.from({ length: 250 }, () => cell(0, 99, 60));
    const far = cell(300, 400, 36_000);
    const angle = { ...cell(100, 199, 50), isOtherAngle: true };
    const ifo = madeIfo({ titles: [{ cells: [...again, far, angle], chapters: [1, 2, 251] }] });

    const { seconds, chapters } = await read(ifo);

    expect(seconds).toBe(60);
    expect(chapters).toHaveLength(1);
  });

  test.each([
    ['another file', Buffer.alloc(4096, 'x'), 'It does not begin as an IFO does.'],
    ['an IFO without titles', madeIfo({ titles: [] }), 'None of its titles can be played.'],
  ])('is refused by name: %s', async (_name, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'malformed', message });
  });

  test('is read or refused by name, however it is broken', async () => {
    for (const bytes of broken(madeIfo(film)))
      await read(bytes).catch((error: unknown) =>
        expect((error as { readonly code: unknown }).code).toMatch(/^(malformed|truncated)$/),
      );
  });
});

const streams = [
  { pid: 0x1100, kind: 'audio', language: 'deu' },
  { pid: 0x1200, kind: 'subtitle', language: 'fra' },
] as const;

describe('a playlist', () => {
  const made = madePlaylist({
    items: [
      { clip: '00001', from: 600, to: 660, streams },
      { clip: '00002', from: 10, to: 25.5 },
    ],
    marks: [
      { item: 0, at: 600 },
      { item: 1, at: 12 },
    ],
  });

  test('has its clips, chapters and languages', () => {
    const { items, marks } = readPlaylist(made);

    expect(items.map(({ clip, from, to }) => [clip, from, to])).toEqual([
      ['00001', 600, 660],
      ['00002', 10, 25.5],
    ]);
    expect(marks).toEqual([
      { item: 0, at: 600 },
      { item: 1, at: 12 },
    ]);
    expect([...(items[0]?.languages ?? [])]).toEqual([
      [0x1100, 'de'],
      [0x1200, 'fr'],
    ]);
  });

  test('is read or refused by name, however it is broken', () => {
    for (const bytes of broken(made))
      try {
        readPlaylist(bytes);
      } catch (error) {
        expect((error as { readonly code: unknown }).code).toBe('malformed');
      }
  });
});

describe('a clip file', () => {
  test('has the languages of the streams', () => {
    expect([...readClipLanguages(madeClip(streams))]).toEqual([
      [0x1100, 'de'],
      [0x1200, 'fr'],
    ]);
  });

  test('is read or refused by name, however it is broken', () => {
    for (const bytes of broken(madeClip(streams)))
      try {
        readClipLanguages(bytes);
      } catch (error) {
        expect((error as { readonly code: unknown }).code).toBe('malformed');
      }
  });
});
