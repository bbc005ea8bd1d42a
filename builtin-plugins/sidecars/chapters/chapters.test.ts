import { describe, expect, test, vi } from 'vitest';
import { deltaOf, entityOf, uriOf } from '../fake-item.ts';
import { toSeconds } from './chapter-times.ts';

const chapter = (startTime: number, endTime: number | undefined, title?: string, more = {}) => ({
  mediaFileUri: uriOf('Album/album.flac'),
  startTime,
  ...(endTime !== undefined && { endTime }),
  ...(title !== undefined && { title }),
  role: 'chapter',
  ...more,
});

const sheet = `REM GENRE "Folk"
REM DATE 1999
REM COMMENT "ExactAudioCopy v1.3"
PERFORMER "The Quiet Hours"
TITLE "Slow Water"
FILE "album.wav" WAVE
  TRACK 01 AUDIO
    TITLE "Tide Table"
    PERFORMER "The Quiet Hours"
    ISRC GBABC9900001
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Low Tide"
    INDEX 00 04:10:00
    INDEX 01 04:12:37
  TRACK 03 AUDIO
    TITLE "Ebb"
    INDEX 01 61:00:74
`;

describe('a cue sheet', () => {
  test('of an album in one file gives its tracks as chapters, and describes the album', async () => {
    const delta = await deltaOf({
      media: ['Album/album.flac'],
      beside: { 'Album/anything.cue': sheet.replaceAll('\n', '\r\n') },
      durations: [3900],
    });

    expect(delta).toEqual({
      fields: {
        title: 'Slow Water',
        album: 'Slow Water',
        artist: 'The Quiet Hours',
        albumArtist: 'The Quiet Hours',
        year: 1999,
        genres: ['Folk'],
      },
      entities: {
        albumArtist: [entityOf('artist', 'The Quiet Hours')],
        genre: [entityOf('genre', 'Folk')],
      },
      chapters: [
        chapter(0, 252.493, 'Tide Table', {
          metadata: { artist: 'The Quiet Hours', isrc: 'GBABC9900001' },
        }),
        chapter(252.493, 3660.987, 'Low Tide'),
        chapter(3660.987, 3900, 'Ebb'),
      ],
    });
  });

  test('of a book gives only its chapters', async () => {
    const delta = await deltaOf({
      media: ['Album/album.m4b'],
      beside: { 'Album/album.cue': sheet },
    });

    expect(delta?.fields).toBeUndefined();
    expect(delta?.chapters).toHaveLength(3);
  });

  test('of tracks in separate files gives nothing', async () => {
    const text = 'FILE "01.wav" WAVE\nTRACK 01 AUDIO\nTITLE "A"\nINDEX 01 00:00:00\n';
    const other = 'FILE "02.wav" WAVE\nTRACK 02 AUDIO\nTITLE "B"\nINDEX 01 00:00:00\n';

    expect(
      await deltaOf({ media: ['Album/01.flac'], beside: { 'Album/a.cue': text + other } }),
    ).toBeNull();
  });

  test('of another album in the folder gives nothing', async () => {
    expect(
      await deltaOf({ media: ['Album/other.flac'], beside: { 'Album/album.cue': sheet } }),
    ).toBeNull();
  });
});

describe('a hostile cue sheet', () => {
  const file = 'FILE "album.flac" WAVE\n';
  const track = (number: number, time: string): string =>
    `TRACK ${String(number)} AUDIO\nINDEX 01 ${time}\n`;
  const cutOff = 'a track has no time, so it is damaged or cut off';
  const unordered = 'the times of its tracks do not rise';

  test.each([
    ['no file', 'TITLE "A"\n', 'it names no file'],
    ['no text', '\0\0\0', 'it names no file'],
    ['its end cut off', `${file}${track(1, '00:00:00')}TRACK 2 AUDIO\n  INDE`, cutOff],
    ['a time that is none', file + track(1, '00:00:00') + track(2, '99999:99:99'), cutOff],
    ['times that go back', file + track(1, '03:00:00') + track(2, '01:00:00'), unordered],
    ['one time for all', file + track(1, '00:00:00').repeat(5000), unordered],
  ])('with %s says what is wrong, and nothing else', async (_, text, fault) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const beside = { 'Album/album.cue': text };

    expect(await deltaOf({ media: ['Album/album.flac'], beside })).toBeNull();
    expect(warn.mock.calls).toEqual([[`"Album/album.cue" is not read: ${fault}.`]]);
    warn.mockRestore();
  });

  test('with more tracks than a disc has is cut', async () => {
    const tracks = Array.from({ length: 5000 }, (_, at) => track(at, `${String(at)}:00:00`));
    const beside = { 'Album/album.cue': file + tracks.join('') };

    const delta = await deltaOf({ media: ['Album/album.flac'], beside });
    expect(delta?.chapters).toHaveLength(2000);
  });
});

describe('chapters beside a film', () => {
  const marks = [
    {
      mediaFileUri: uriOf('F/Film.mkv'),
      startTime: 0,
      endTime: 60.5,
      title: 'Intro',
      role: 'chapter',
    },
    { mediaFileUri: uriOf('F/Film.mkv'), startTime: 60.5, title: 'The Pier', role: 'chapter' },
  ];
  const ogm =
    'CHAPTER01=00:00:00.000\nCHAPTER01NAME=Intro\nCHAPTER02=00:01:00.500\nCHAPTER02NAME=The Pier\n';
  const xml = `<?xml version="1.0"?><!DOCTYPE Chapters SYSTEM "matroskachapters.dtd"><Chapters>
    <EditionEntry><ChapterAtom><ChapterTimeStart>00:09:00</ChapterTimeStart></ChapterAtom></EditionEntry>
    <EditionEntry><EditionFlagDefault>1</EditionFlagDefault>
      <ChapterAtom><ChapterUID>1</ChapterUID><ChapterTimeStart>00:00:00.000000000</ChapterTimeStart>
        <ChapterTimeEnd>00:01:00.500000000</ChapterTimeEnd>
        <ChapterDisplay><ChapterString>Intro</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay></ChapterAtom>
      <ChapterAtom><ChapterTimeStart>00:00:30</ChapterTimeStart><ChapterFlagHidden>1</ChapterFlagHidden></ChapterAtom>
      <ChapterAtom><ChapterTimeStart>00:01:00.500000000</ChapterTimeStart>
        <ChapterDisplay><ChapterString>The Pier</ChapterString></ChapterDisplay></ChapterAtom>
    </EditionEntry></Chapters>`;
  const ffmpeg =
    ';FFMETADATA1\ntitle=Film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=60500\ntitle=Intro\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=60500\ntitle=The Pier\n';

  test.each([
    ['Film.txt', ogm],
    ['Film.chapters.txt', ogm],
    ['Film_chapters.txt', '00:00:00.000 Intro\n00:01:00.500 The Pier\n'],
    ['chapters.txt', '0:00 Intro\n01:00.5 - The Pier\n'],
    ['Film.xml', xml],
    ['Film_chapters.xml', xml],
    ['chapters.xml', xml],
    ['Film.chapters.txt', ffmpeg],
  ])('in %s are read', async (name, text) => {
    const delta = await deltaOf({ media: ['F/Film.mkv'], beside: { [`F/${name}`]: text } });

    expect(delta).toEqual({ chapters: marks });
  });

  test('end where the film does, and none begins after', async () => {
    const item = { media: ['F/Film.mkv'], beside: { 'F/Film.txt': ogm } };

    expect((await deltaOf({ ...item, durations: [100] }))?.chapters?.[1]?.endTime).toBe(100);
    expect((await deltaOf({ ...item, durations: [50] }))?.chapters).toHaveLength(1);
  });

  test('do not count when the film has its own', async () => {
    const delta = await deltaOf({
      media: ['F/Film.mkv'],
      beside: { 'F/Film.txt': ogm },
      chapters: [{ mediaFileUri: uriOf('F/Film.mkv'), startTime: 0 }],
    });

    expect(delta).toBeNull();
  });

  test.each(['', 'A poem\nof two lines\n', '00:00 Only one\n', '<movie><title>A</title></movie>'])(
    'are not found in %j',
    async (text) => {
      expect(await deltaOf({ media: ['F/Film.mkv'], beside: { 'F/Film.txt': text } })).toBeNull();
    },
  );
});

test.each([
  ['01:02:03.456', 3723.456],
  ['01:02:03,5', 3723.5],
  ['02:03', 123],
  ['1:02:03.000000000', 3723],
  ['00:00:00', 0],
  ['soon', undefined],
  ['1', undefined],
])('the time %s is %s seconds', (text, seconds) => {
  expect(toSeconds(text)).toBe(seconds);
});
