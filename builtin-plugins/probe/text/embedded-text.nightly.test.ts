/** Texts inside files that ffmpeg made, and inside damaged copies of them. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  bars,
  hasFfmpeg,
  keepFile,
  makeMedia,
  tone,
} from '../../../test/support/media/media-files.ts';
import {
  blockContent,
  element,
  matroska,
  number,
  text,
} from '../../../test/support/media/made-matroska.ts';
import { createRangeHost, probeFileOf } from '../../../test/support/media/probe-host.ts';
import { box, filmWithPictures } from '../../../test/support/media/picture-subtitles.ts';
import { embeddedFonts, embeddedSubtitle, embeddedText } from './embedded-text.ts';
import { rounds } from '../../../test/support/run/nightly.ts';

const count = 300;
const two = (value: number): string => String(value).padStart(2, '0');
const lines = Array.from({ length: count }, (_, at) => {
  const clock = (ms: number) => `00:${two(Math.floor(at / 60))}:${two(at % 60)},${ms}`;
  return `${at + 1}\n${clock(100)} --> ${clock(900)}\n<i>Line ${at}</i>\n`;
});
const srt = (): string => keepFile('srt', lines.join('\n'));
const ass = (): string =>
  keepFile(
    'ass',
    '[Script Info]\nScriptType: v4.00+\nPlayResX: 640\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Sign,Arial,20\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 3,0:00:01.50,0:00:02.00,Sign,Bob,0,0,0,,{\\i1}One, two\n',
  );
const font = (): string => keepFile('otf', 'OTTO0123456789');

/** Pictures of high bitrate, two texts and a font. */
const film = (extension = 'mkv', ...more: readonly string[]): string =>
  makeMedia(extension, [
    ...bars(2, '640x360'),
    ...['-i', srt(), '-i', ass()],
    ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'mjpeg', '-q:v', '1'],
    ...['-c:s:0', 'srt', '-c:s:1', 'ass', ...more],
  ]);

const withFont = (): string =>
  film(
    'mkv',
    '-attach',
    font(),
    '-metadata:s:t',
    'mimetype=font/otf',
    '-metadata:s:t',
    'filename=A.otf',
  );

async function ask(file: string, part: number | 'lyrics') {
  const { host, asked } = createRangeHost();
  const made = await embeddedText({ file: probeFileOf(file, statSync(file).size), part }, host);
  const text = made instanceof Uint8Array ? new TextDecoder().decode(made) : made.message;
  return { text, asked };
}

describe.skipIf(!hasFfmpeg)('the text of a Matroska track (needs ffmpeg)', () => {
  test('is read by the index, with little of the file', async () => {
    const { text, asked } = await ask(film(), 1);

    expect(text.trim()).toBe(lines.join('\n').trim());
    expect(asked.bytes).toBeLessThan(count * 800 + 4 * 64 * 1024);
  });

  test('is read by the index with at most 1 % of a film', async () => {
    // Pictures that are not compressed: 8 MB for a second.
    const file = makeMedia('mkv', [
      ...bars(10, '640x360'),
      ...['-i', keepFile('srt', lines.slice(0, 10).join('\n')), '-map', '0', '-map', '1'],
      ...['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-c:s', 'srt'],
    ]);
    onTestFinished(() => rmSync(file));

    const { text, asked } = await ask(file, 1);

    expect(text.trim()).toBe(lines.slice(0, 10).join('\n').trim());
    expect(asked.bytes).toBeLessThan(statSync(file).size / 100);
  });

  test('is read block by block in a file without an index', async () => {
    const { text } = await ask(film('mkv', '-write_crc32', '0', '-live', '1'), 1);

    expect(text.trim()).toBe(lines.join('\n').trim());
  });

  test('is ASS with its header, and its blocks as lines', async () => {
    const { text } = await ask(film(), 2);

    expect(text).toContain('PlayResX: 640');
    expect(text).toContain('Dialogue: 3,0:00:01.50,0:00:02.00,Sign,Bob,0,0,0,,{\\i1}One, two\n');
  });

  test('is WebVTT in WebM', async () => {
    const file = makeMedia('webm', [
      ...[...bars(1, '64x36'), '-i', srt(), '-c:v', 'libvpx', '-c:s', 'webvtt'],
    ]);

    expect((await ask(file, 1)).text).toContain('00:00:00.100 --> 00:00:00.900 \n<i>Line 0</i>\n');
  });

  test('is refused for a picture and for a track that is not there', async () => {
    expect((await ask(film(), 0)).text).toBe('The track has no text: its codec is V_MJPEG.');
    expect((await ask(film(), 9)).text).toBe('The file has no track number 9.');
  });

  test('fonts are given by their places', async () => {
    const file = withFont();
    const { host } = createRangeHost();
    const { fonts } = await embeddedFonts({ file: probeFileOf(file, statSync(file).size) }, host);
    const [{ name, offset, length } = { name: '', offset: 0, length: 0 }] = fonts;

    expect([fonts.length, name]).toEqual([1, 'A.otf']);
    expect(readFileSync(file).toString('latin1', offset, offset + length)).toBe('OTTO0123456789');
  });

  test('of a damaged file ends with a text or a reason', async () => {
    const whole = readFileSync(film());
    for (let at = 0; at < rounds(12, 60); at++) {
      const bytes = Buffer.from(whole.subarray(0, whole.length - (at % 3) * 5000));
      for (let hit = 0; hit < 40; hit++) {
        const tail = hit % 2 === 0 ? 0 : bytes.length - 20_000;
        bytes[tail + ((at * 7919 + hit * 104_729) % 20_000)] = (at * 31 + hit * 17) % 256;
      }
      const { text } = await ask(keepFile('mkv', bytes), 1);

      expect(text).not.toBe('');
    }
  });
});

describe('a Matroska track of very much text', () => {
  const piece = 200 * 1024;
  const most = 'The texts of the track have more than 8388608 bytes.';
  const textTrack = (...more: readonly Buffer[]): Buffer =>
    element(0xae, number(0xd7, 1), number(0x83, 0x11), text(0x86, 'S_TEXT/UTF8'), ...more);
  const group = (content: Uint8Array): Buffer =>
    element(0xa0, element(0xa1, blockContent(1, 0, 0, content)), number(0x9b, 500));
  const cluster = (...blocks: readonly Buffer[]): Buffer =>
    element(0x1f43b675, number(0xe7, 0), ...blocks);

  /** Many texts of nothing but spaces, which take no place on the disk. */
  function longText(count: number, withCues: boolean): string {
    const clusters = Array.from({ length: count }, () => cluster(group(Buffer.alloc(piece, ' '))));
    const cueOf = (place: number): Buffer =>
      element(
        0xbb,
        number(0xb3, 0),
        element(0xb7, number(0xf7, 1), number(0xf1, place), number(0xf0, 17)),
      );
    const cues = (places: readonly number[]) => element(0x1c53bb6b, ...places.map(cueOf));
    return keepFile('mkv', matroska([textTrack()], clusters, withCues ? cues : undefined));
  }

  test.each([
    ['with an index', rounds(100, 1024), true],
    ['without an index', 60, false],
  ])('is refused before it fills the memory, %s', async (_, texts, hasCues) => {
    const file = longText(texts, hasCues);
    onTestFinished(() => rmSync(file));

    const { text: answer, asked } = await ask(file, 0);

    expect(answer).toBe(most);
    expect(asked.bytes).toBeLessThan(20 * 1024 * 1024);
  });

  test.each([
    ['zlib', number(0x4254, 0), deflateSync(Buffer.alloc(piece, ' '))],
    [
      'a header',
      Buffer.concat([number(0x4254, 3), element(0x4255, Buffer.alloc(piece, ' '))]),
      Buffer.from('a'),
    ],
  ])('is refused also where it is packed with %s', async (_, how, packed) => {
    const encodings = element(0x6d80, element(0x6240, number(0x5033, 0), element(0x5034, how)));
    const blocks = Array.from({ length: 1024 }, () => group(packed));
    const file = keepFile('mkv', matroska([textTrack(encodings)], [cluster(...blocks)]));

    expect((await ask(file, 0)).text).toBe(most);
  });
});

describe.skipIf(!hasFfmpeg)('the text of an MP4 track (needs ffmpeg)', () => {
  test('is WebVTT with its styles', async () => {
    const file = makeMedia('mp4', [
      ...[...bars(2, '64x36'), '-i', srt(), '-c:v', 'mpeg4', '-c:s', 'mov_text'],
    ]);
    const { text, asked } = await ask(file, 1);

    expect(text).toContain('00:00:01.100 --> 00:00:01.900 \n<i>Line 1</i>\n');
    expect(text.match(/-->/g)).toHaveLength(count);
    expect(asked.calls).toBeLessThan(20);
  });

  test('is at the times at which the edit list of its track shows it', async () => {
    const file = makeMedia('mp4', [
      ...[...bars(2, '64x36'), '-i', srt(), '-c:v', 'mpeg4', '-c:s', 'mov_text'],
    ]);
    const bytes = readFileSync(file);
    const scale = bytes.readUInt32BE(bytes.lastIndexOf('mdhd') + 16);
    bytes.writeUInt32BE(scale / 2, bytes.lastIndexOf('elst') + 16);

    const { text } = await ask(keepFile('mp4', bytes), 1);

    expect(text).toContain('00:00:00.600 --> 00:00:01.400 \n<i>Line 1</i>\n');
  });

  test('is refused when it is in fragments', async () => {
    const file = makeMedia('mp4', [
      ...[...bars(2, '64x36'), '-i', srt(), '-c:v', 'mpeg4', '-c:s', 'mov_text'],
      ...['-movflags', 'empty_moov+frag_keyframe'],
    ]);

    expect((await ask(file, 1)).text).toMatch(/text in fragments is not read/);
  });
});

describe.skipIf(!hasFfmpeg)('lyrics in tags (needs ffmpeg)', () => {
  test.each([
    ['flac', ['-c:a', 'flac', '-metadata', 'LYRICS=La\nla']],
    ['m4a', ['-c:a', 'aac', '-metadata', 'lyrics=La\nla']],
  ])('of %s are a text', async (extension, args) => {
    expect((await ask(makeMedia(extension, [...tone(1), ...args]), 'lyrics')).text).toBe('La\nla');
  });

  test('of an MP3 with times are LRC, and come before those without', async () => {
    const unsynced = frameOf('USLT', Buffer.from('\x03eng\0La\nla', 'latin1'));

    expect((await ask(song(unsynced), 'lyrics')).text).toBe('La\nla');
    expect((await ask(song(unsynced, syncedFrame()), 'lyrics')).text).toBe(
      '[00:01.000]La\n[01:02.500]La la',
    );
  });

  test('are refused for a song without', async () => {
    const file = makeMedia('flac', [...tone(1), '-c:a', 'flac']);

    expect((await ask(file, 'lyrics')).text).toBe('The file has no lyrics.');
  });
});

/** A sound with a tag of these frames. */
function song(...frames: readonly Buffer[]): string {
  const args = [...tone(1), '-c:a', 'libmp3lame', '-id3v2_version', '0', '-write_xing', '0'];
  const body = Buffer.concat(frames);
  const size = Buffer.from([0, 0, body.length >> 7, body.length & 127]);
  const tag = [Buffer.from('ID3\x03\0\0', 'latin1'), size, body];
  return keepFile('mp3', Buffer.concat([...tag, readFileSync(makeMedia('mp3', args))]));
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const frameOf = (id: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), u32(content.length), Buffer.alloc(2), content]);

/** `SYLT`: a line, and a line of two syllables. */
function syncedFrame(): Buffer {
  const parts: readonly (readonly [string, number])[] = [
    ['La\0', 1000],
    ['\nLa \0', 62_500],
    ['la\0', 63_000],
  ];
  const texts = parts.flatMap(([text, ms]) => [Buffer.from(text), u32(ms)]);
  return frameOf('SYLT', Buffer.concat([Buffer.from('\x03eng\x02\x01\0', 'latin1'), ...texts]));
}

describe.skipIf(!hasFfmpeg)('subtitles that are pictures (needs ffmpeg)', () => {
  async function read(file: string, fromMs: number, shiftMs = 0) {
    const { host, asked } = createRangeHost();
    const input = { file: probeFileOf(file, statSync(file).size), part: 1, fromMs, shiftMs };
    const made = await embeddedSubtitle(input, host);
    if (made.kind === 'failed') throw new Error(made.message);
    return { sup: Buffer.from(made.base64, 'base64'), nextMs: made.nextMs, asked };
  }

  test('are read by the index, from a time on, as they were', async () => {
    const file = filmWithPictures();
    const all = await read(file, 0);
    const later = await read(file, 5000);

    expect(all).toMatchObject({ sup: Buffer.concat([box(2, 4), box(6, 8)]), nextMs: null });
    expect(later).toMatchObject({ sup: box(6, 8), nextMs: null });
    expect(later.asked.bytes).toBeLessThan(8 * 64 * 1024);
  });

  test('are read part by part', async () => {
    const boxes = Buffer.concat(Array.from({ length: 600 }, (_, at) => box(2 * at, 2 * at + 1)));
    const file = makeMedia('mkv', [
      ...[...bars(1, '64x36'), '-i', keepFile('sup', boxes), '-map', '0', '-map', '1'],
      ...['-c:v', 'mjpeg', '-c:s', 'copy'],
    ]);
    const parts: Buffer[] = [];
    for (let from: number | null = 0; from !== null;) {
      const { sup, nextMs } = await read(file, from);
      parts.push(sup);
      from = nextMs;
    }

    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.concat(parts).equals(boxes)).toBe(true);
  });

  test('are read of a file of their own, from a time on', async () => {
    const boxes = [box(2, 4), box(6, 8)];
    const file = keepFile('sup', Buffer.concat(boxes));

    expect(await read(file, 0)).toMatchObject({ sup: Buffer.concat(boxes), nextMs: null });
    expect(await read(file, 5000)).toMatchObject({ sup: boxes[1], nextMs: null });
    await expect(read(keepFile('sup', 'PI, and no subtitles'), 0)).rejects.toThrow(
      'PGS is read from Matroska and .sup files only.',
    );
  });

  test('have the times of what is played', async () => {
    const { sup } = await read(filmWithPictures(), 0, -1000);

    expect(sup.readUInt32BE(2)).toBe(90_000);
    expect(sup.length).toBe(Buffer.concat([box(2, 4), box(6, 8)]).length);
  });

  test('are read cluster by cluster in a file without an index, in parts', async () => {
    const file = makeMedia('mkv', [
      ...['-i', filmWithPictures(), '-map', '0', '-c', 'copy', '-write_crc32', '0', '-live', '1'],
    ]);
    expect(await read(file, 0)).toMatchObject({
      sup: Buffer.concat([box(2, 4), box(6, 8)]),
      nextMs: null,
    });
    expect((await read(file, 5000)).sup).toEqual(box(6, 8));
  });

  test('are refused of a track that is another', async () => {
    const { host } = createRangeHost();
    const file = filmWithPictures();
    const input = { file: probeFileOf(file, statSync(file).size), fromMs: 0, shiftMs: 0 };

    expect(await embeddedSubtitle({ ...input, part: 0 }, host)).toMatchObject({
      message: 'The track is not PGS: its codec is V_MPEG4/ISO/AVC.',
    });
  });
});
