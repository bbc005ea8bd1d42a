/** Files that are long or odd in their times: an audiobook of twenty hours, jumps, no key pictures. */
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { longAudiobook } from '../../test/support/media/long-audiobook.ts';
import {
  avcSetup,
  blockContent,
  cue,
  element,
  matroska,
  number,
  pictureTrack,
} from '../../test/support/media/made-matroska.ts';
import {
  bars,
  hasFfmpeg,
  keepFile,
  makeMedia,
  tone,
} from '../../test/support/media/media-files.ts';
import { packetsIn, remux } from '../../test/support/media/remuxed.ts';
import { isNightly } from '../../test/support/run/nightly.ts';
import { seenSegments } from '../../test/support/media/seen-segments.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-long-media-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasFfmpeg)('a film of three hours (needs ffmpeg)', () => {
  const hours = 3;

  test.each(isNightly ? ['mkv', 'mp4'] : ['mkv'])(
    'as %s is played at its end as at its start, and only its index is read',
    async (extension) => {
      const minute = makeMedia('mp4', [
        ...[...bars(60, '64x36', '5'), ...tone(60, 8000)],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10'],
        ...['-c:a', 'aac', '-b:a', '8k'],
      ]);
      const loop = ['-stream_loop', String(hours * 60 - 1), '-i', minute, '-c', 'copy'];
      const file = makeMedia(extension, loop);
      const { size } = statSync(file);

      const media = await remux(file);
      const { index, asked } = media;
      const read = asked.bytes;
      const last = index.cuts.length - 1;
      const video = media.track('video');
      const segment = Buffer.concat([await media.init(video), await media.segment(video, last)]);
      const [first] = packetsIn(segment);

      expect(Math.abs(index.duration / index.timescale - hours * 3600)).toBeLessThan(15);
      expect(index.cuts.length).toBeGreaterThan(hours * 1700);
      expect(read).toBeLessThan(size / 5);
      expect(first?.isKey).toBe(true);
      expect(first?.pts).toBeCloseTo((index.cuts[last] ?? 0) / index.timescale, 2);
    },
  );
});

describe('an audiobook of twenty hours, whose sound lies beyond 4 GiB', () => {
  const hours = 20;
  const mediaAt = 5 * 1024 ** 3;

  test('is cut into segments that lead to its packets, and only its index is read', async () => {
    const { head, size, sizeOf, packets } = longAudiobook(hours, mediaAt);
    const file = path.join(folder, 'long.m4b');
    const descriptor = openSync(file, 'w');
    writeSync(descriptor, head);
    ftruncateSync(descriptor, size);
    // The packet at half the time.
    const wanted = Math.floor(packets / 2);
    let at = mediaAt;
    for (let n = 0; n < wanted; n++) at += sizeOf(n);
    writeSync(descriptor, Buffer.from('half'), 0, 4, at);
    closeSync(descriptor);

    const media = await remux(file);
    const { index, asked } = media;
    const seconds = index.duration / index.timescale;
    const n = index.cuts.findLastIndex((cut) => cut <= index.duration / 2);
    const segments = await Promise.all(
      [n - 1, n, n + 1].map((one) => media.segment(media.track('audio'), one)),
    );

    expect(Math.abs(seconds - hours * 3600)).toBeLessThan(0.1);
    expect(index.cuts.length).toBeGreaterThan((hours * 3600) / 6);
    expect(asked.bytes).toBeLessThan(head.length + 64 * 1024);
    expect(segments.map((bytes) => bytes.includes('half'))).toContain(true);
  });
});

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24'];

describe.skipIf(!hasFfmpeg)('an MP4 (needs ffmpeg)', () => {
  test('whose key pictures are a minute apart has one segment for each', async () => {
    const file = makeMedia('mp4', [
      ...bars(130, '64x36', '4'),
      ...h264,
      '-g',
      '240',
      '-sc_threshold',
      '0',
    ]);
    const media = await remux(file);

    expect(media.index.cuts.map((time) => time / 1e6)).toEqual([0, 60, 120]);
    const seen = await seenSegments(media, media.track('video'));
    expect(seen.map(({ media: shown }) => shown?.start)).toEqual([0, 60, 120]);
  });
});

const shown = (ticks: number, letter: string, flags: number): Buffer =>
  element(0xa3, blockContent(1, ticks, flags, Buffer.from(letter.repeat(20))));
const cluster = (ticks: number, ...blocks: readonly Buffer[]): Buffer =>
  element(0x1f43b675, number(0xe7, ticks), ...blocks);

const jumping = [0, 4000, 2000, 5000];

describe('a Matroska file', () => {
  test('whose times jump back is planned, each picture once', async () => {
    const clusters = jumping.map((ticks) => cluster(ticks, shown(0, 'a', 0x80), shown(40, 'b', 0)));
    const cues = (places: readonly number[]): Buffer =>
      element(0x1c53bb6b, ...places.map((place, at) => cue(jumping[at] ?? 0, place)));
    const media = await remux(keepFile('mkv', matroska([pictureTrack(avcSetup)], clusters, cues)));

    const parts = [];
    for (let n = 0; n < media.index.cuts.length; n++)
      parts.push(await media.segment(media.track('video'), n));
    const pictures = parts.map((bytes) =>
      bytes.subarray(bytes.indexOf('mdat') + 4).toString('latin1'),
    );
    expect(pictures.join('').match(/a{20}/g)?.length).toBe(4);
    expect([...media.index.cuts]).toEqual(media.index.cuts.toSorted((one, other) => one - other));
  });

  test('with more than 64 MiB between two key pictures is refused there, and planned elsewhere', async () => {
    const large = element(0xa3, blockContent(1, 40, 0, Buffer.alloc(65 * 1024 ** 2)));
    const clusters = [cluster(0, shown(0, 'a', 0x80)), cluster(2000, shown(0, 'b', 0x80), large)];
    const cues = (places: readonly number[]): Buffer =>
      element(0x1c53bb6b, ...places.map((place, at) => cue(at * 2000, place)));
    const file = path.join(folder, 'large.mkv');
    writeFileSync(file, matroska([pictureTrack(avcSetup)], clusters, cues));
    const media = await remux(file);
    const track = media.track('video');

    await expect(media.segment(track, 1)).rejects.toThrow(/^over-budget: A segment has \d+ bytes/);
    expect((await media.segment(track, 0)).includes('a'.repeat(20))).toBe(true);
  });

  test('without any key picture has no picture that is copied, or none at all', async () => {
    const clusters = [0, 2000].map((ticks) => cluster(ticks, shown(0, 'a', 0), shown(40, 'b', 0)));
    const media = await remux(keepFile('mkv', matroska([pictureTrack(avcSetup)], clusters))).catch(
      (error: unknown) => String(error),
    );

    if (typeof media === 'string') expect(media).toMatch(/unsupported|malformed|truncated/);
    else expect(media.index.tracks.some(({ canCopy }) => canCopy)).toBe(false);
  });
});
