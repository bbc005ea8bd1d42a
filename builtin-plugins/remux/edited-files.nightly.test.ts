import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  bars,
  hasFfmpeg,
  keepFile,
  makeMedia,
  tone,
} from '../../test/support/media/media-files.ts';
import { decodedIn, packetsIn, remux } from '../../test/support/media/remuxed.ts';
import { packetsOf, seenSegments } from '../../test/support/media/seen-segments.ts';
import { sampleOf } from '../../test/support/run/nightly.ts';

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2'];
const film = (more: readonly string[], rate = '24'): string =>
  makeMedia('mp4', [...bars(8, '320x180', rate), ...tone(8), ...h264, '-c:a', 'aac', ...more]);

/** As phones and cutters trim: the edit list hides the pictures before the cut. */
const trimmed = (from: string, name: string, ...more: readonly string[]): string =>
  makeMedia('mp4', ['-ss', from, '-i', name, '-c', 'copy', ...more]);

/** The file without its last seconds: its edit lists and its head say so. */
function shortened(file: string, seconds: number): string {
  const bytes = readFileSync(file);
  const shorten = (at: number): number =>
    bytes.writeUInt32BE(bytes.readUInt32BE(at) - seconds * 1000, at);
  shorten(bytes.indexOf('mvhd') + 20);
  for (let at = bytes.indexOf('elst'); at > 0; at = bytes.indexOf('elst', at + 4)) shorten(at + 12);
  return keepFile('mp4', bytes);
}

const films: readonly (readonly [name: string, make: () => string])[] = [
  ['trimmed in the middle of a group', () => trimmed('3.3', film(['-g', '48']))],
  ['trimmed just before a key picture', () => trimmed('3.95', film(['-g', '48']))],
  ['trimmed in its only group', () => trimmed('5.3', film(['-g', '1000']))],
  [
    'whose clock has one tick for a picture',
    () => trimmed('3.3', film(['-g', '48', '-video_track_timescale', '24'])),
  ],
  ['of 30000/1001 pictures a second', () => trimmed('2.2', film(['-g', '60'], '30000/1001'))],
  ['trimmed at the end too', () => shortened(trimmed('3.3', film(['-g', '48'])), 1.2)],
];

describe.skipIf(!hasFfmpeg)('the segments of an MP4 that was trimmed (needs ffmpeg)', () => {
  test.each(sampleOf(films, 3))('%s are shown when the file itself is', async (_, make) => {
    const file = make();
    const media = await remux(file);
    const shift = media.index.startTime / media.index.timescale;

    for (const track of media.index.tracks) {
      const times = new Map<string, number>();
      for (const { hash, pts, isShown } of packetsIn(file, String(track.stream)))
        if (isShown) times.set(hash, pts);
      const made = await packetsOf(media, track);
      // ffprobe shows pictures later that have a decode time after they are shown.
      const [{ media: first } = { media: undefined }] = await seenSegments(media, track);
      const late = Math.min(...made.map(({ pts }) => pts)) - (first?.start ?? 0) - shift;
      const shown = made.filter(({ hash }) => times.has(hash));
      const off = shown.map(({ hash, pts }) => Math.abs(pts - late - (times.get(hash) ?? 0)));
      expect(shown.length).toBe(times.size);
      expect(Math.max(...off)).toBeLessThan(0.002);
    }
    expect(media.index.duration / media.index.timescale + shift).toBeCloseTo(endOf(file), 1);
  });

  test.each(sampleOf(films, 3))('%s hide what the file hides', async (_, make) => {
    const file = make();
    const media = await remux(file);
    const whole = await media.whole(media.track('video'));

    const shown = decodedIn(file);
    const all = decodedIn(whole);
    const passed = all.indexOf(shown[0] ?? '');
    expect(all.slice(passed, passed + shown.length)).toEqual(shown);
    const times = packetsIn(whole).map(({ pts }) => pts);
    const first = Math.min(...times);
    expect(times.filter((pts) => pts < first + 0.002).length).toBe(passed + 1);
  });
});

test.skipIf(!hasFfmpeg).each([
  ['that an edit list hides are not copied from', '3.3', false],
  ['of which none is hidden are copied from', '0', true],
] as const)('pictures %s fragments (needs ffmpeg)', async (_, from, canCopy) => {
  const { index } = await remux(
    trimmed(from, film(['-g', '48']), '-movflags', 'frag_keyframe+delay_moov'),
  );

  const copied = index.tracks.toSorted((one, other) => one.stream - other.stream);
  expect(copied.map((track) => track.canCopy)).toEqual([canCopy, true]);
  expect(index.startTime).toBe(0);
});

const endOf = (file: string): number =>
  Number(
    execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'format=duration',
      '-of',
      'csv=p=0',
      file,
    ]),
  );

test.skipIf(!hasFfmpeg)(
  'pictures with parts left out in the middle are not copied, and last as long as what is shown (needs ffmpeg)',
  async () => {
    const bytes = readFileSync(film(['-g', '48']));
    const [index, at] = [bytes.indexOf('moov'), bytes.indexOf('elst')];
    for (const place of [index, ...['trak', 'edts', 'elst'].map((box) => bytes.indexOf(box))])
      bytes.writeUInt32BE(bytes.readUInt32BE(place - 4) + 12, place - 4);
    // Two seconds, and three from the fourth on.
    const edits = Buffer.alloc(32);
    [0, 2, 2000, 1024, 0x10000, 3000, 1024 + 4 * 12_288, 0x10000].forEach((value, place) =>
      edits.writeUInt32BE(value, place * 4),
    );
    const parts = [bytes.subarray(0, at + 4), edits, bytes.subarray(at + 24)];

    const media = await remux(keepFile('mp4', Buffer.concat(parts)));

    const { stream } = media.track('video');
    expect(media.index.tracks.map(({ canCopy }) => canCopy)).toEqual([stream === 1, stream === 0]);
    expect(media.index.duration / media.index.timescale).toBeCloseTo(8, 1);
  },
);
