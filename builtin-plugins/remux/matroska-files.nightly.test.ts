import { describe, expect, test } from 'vitest';
import { bars, hasFfmpeg, makeMedia, tone } from '../../test/support/media/media-files.ts';
import { sampleOf } from '../../test/support/run/nightly.ts';
import { faultsIn, packetsIn, remux } from '../../test/support/media/remuxed.ts';
import {
  differences,
  contents,
  packetsOf,
  seenSegments,
  timeDifference,
  withoutSilence,
} from '../../test/support/media/seen-segments.ts';
import { readMpegAudioFrame } from '../media-headers/codecs/mpeg-audio.ts';

const yuv = ['-pix_fmt', 'yuv420p'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', ...yuv, '-g', '24'];
const sources = [...bars(8), ...tone(8)];
const short = ['-shortest'];
const aac = ['-c:a', 'aac', ...short];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', ...yuv];
const hevcClosed = [...hevc, '-x265-params', 'log-level=none:keyint=24:open-gop=0'];
const hevcOpen = [
  ...['-c:v', 'libx265', '-preset', 'fast', ...yuv, '-x265-params'],
  'log-level=none:keyint=24:min-keyint=24:scenecut=0:open-gop=1:bframes=3',
];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', ...yuv, '-g', '24'];
const av1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime', ...yuv, '-g', '24'];

const all: readonly (readonly [name: string, extension: string, args: readonly string[]])[] = [
  ['of H.264 and AAC', 'mkv', [...sources, ...h264, '-bf', '2', ...aac]],
  ['of H.265 and AC-3', 'mkv', [...sources, ...hevcClosed, '-c:a', 'ac3', ...short]],
  ['of H.265 with open groups', 'mkv', [...sources, ...hevcOpen, ...aac]],
  ['of H.264 and E-AC-3', 'mkv', [...sources, ...h264, '-c:a', 'eac3', ...short]],
  ['of H.264 and FLAC', 'mkv', [...sources, ...h264, '-c:a', 'flac', ...short]],
  ['of H.264 and ALAC', 'mkv', [...sources, ...h264, '-c:a', 'alac', ...short]],
  [
    'of AV1 of 10 bits and FLAC of 24 bits and 192 kHz',
    'mkv',
    [
      ...[...bars(4), ...tone(4, 192_000), ...av1, '-pix_fmt', 'yuv420p10le'],
      ...['-c:a', 'flac', '-sample_fmt', 's32', '-bits_per_raw_sample', '24', ...short],
    ],
  ],
  ['of VP9 and Opus', 'webm', [...sources, ...vp9, '-c:a', 'libopus', ...short]],
  ['of AV1 and Opus', 'mkv', [...bars(4), ...tone(4), ...av1, '-c:a', 'libopus', ...short]],
  [
    'with clusters of a second',
    'mkv',
    [...sources, ...h264, ...aac, '-cluster_time_limit', '1000'],
  ],
  [
    'with clusters of a minute',
    'mkv',
    [
      ...sources,
      ...h264,
      ...aac,
      '-cluster_time_limit',
      '60000',
      '-cluster_size_limit',
      '50000000',
    ],
  ],
  [
    'whose index is in front',
    'mkv',
    [...sources, ...h264, ...aac, '-reserve_index_space', '20000'],
  ],
  [
    'whose sound is late',
    'mkv',
    [...bars(8), '-itsoffset', '2.5', ...tone(5), ...h264, '-map', '0', '-map', '1', '-c:a', 'aac'],
  ],
];
const files = sampleOf(all, 2);

describe.skipIf(!hasFfmpeg)('the segments of a Matroska file (needs ffmpeg)', () => {
  test.each(files)('%s have all its packets at their times', async (_, extension, args) => {
    const file = makeMedia(extension, args);
    const media = await remux(file);

    for (const track of media.index.tracks) {
      expect(track.canCopy).toBe(true);
      const source = packetsIn(file, String(track.stream));
      const made = withoutSilence(await packetsOf(media, track), source);
      expect(contents(made)).toEqual(contents(source));
      expect(timeDifference(made, source)).toBeLessThan(0.0011);
      expect(faultsIn(await media.whole(track))).toBe('');
    }
  });

  test.each(files)(
    '%s are as long as the playlist says, without gaps',
    async (_, extension, args) => {
      const media = await remux(makeMedia(extension, args));

      const pictures = differences(await seenSegments(media, media.track('video')));
      const sound = differences(await seenSegments(media, media.track('audio')));
      expect(pictures.gap).toBeLessThan(0.001);
      expect(sound.gap).toBeLessThan(0.0011);
      expect(pictures.length).toBeLessThan(0.001);
      expect(sound.length).toBeLessThan(0.096 + 0.013);
    },
  );
});

describe.skipIf(!hasFfmpeg)('a Matroska file without an index (needs ffmpeg)', () => {
  const live = ['-f', 'matroska', '-live', '1'];

  test('of clusters of unknown size is walked, and has all its packets', async () => {
    const file = makeMedia('mkv', [...sources, ...h264, '-bf', '2', ...aac, ...live]);
    const media = await remux(file);

    expect(media.index.state).toMatch(/^walk1 /);
    expect(media.index.cuts.map((cut) => Math.round(cut / 1e6))).toEqual([0, 1, 2, 3, 5, 7]);
    expect(media.index.duration / 1e6).toBeCloseTo(8, 1);
    for (const track of media.index.tracks) {
      const source = packetsIn(file, String(track.stream));
      expect(contents(await packetsOf(media, track))).toEqual(contents(source));
    }
  });
});

describe.skipIf(!hasFfmpeg)('the segments of MP3 in a Matroska file (needs ffmpeg)', () => {
  test.each(sampleOf([44_100, 48_000], 1))(
    'at %i Hz are the same in any order, and abut by the samples of their frames',
    async (rate) => {
      const inputs = [...bars(8), ...tone(8, rate), ...h264, '-c:a', 'libmp3lame', ...short];
      const file = makeMedia('mkv', inputs);
      const [forwards, backwards] = [await remux(file), await remux(file)];
      const places = Array.from(forwards.index.cuts.keys());

      const made: Buffer[] = [];
      for (const n of places) made.push(await forwards.segment(forwards.track('audio'), n));
      const sought = new Map<number, Buffer>();
      for (const n of places.toReversed())
        sought.set(n, await backwards.segment(backwards.track('audio'), n));

      expect(places.map((n) => sought.get(n))).toEqual(made);
      const seen = made.map(packed);
      expect(seen.length).toBeGreaterThan(3);
      for (const [n, { start, samples }] of seen.slice(0, -1).entries()) {
        const next = seen[n + 1]?.start ?? 0;
        // The clock of the tag has 90,000 ticks a second.
        expect(Math.abs(next - start - (samples / rate) * 90_000)).toBeLessThanOrEqual(1);
      }
    },
  );

  const cases: readonly (readonly [rate: number, late: string])[] = [
    [44_100, '0'],
    [48_000, '0'],
    [44_100, '1.337'],
    [48_000, '1.337'],
  ];
  test.each(sampleOf(cases, 2))(
    'at %i Hz, %s s late, begin with the first frame behind each cut',
    async (rate, late) => {
      const sound = ['-itsoffset', late, ...tone(8, rate)];
      const inputs = [...bars(8), ...sound, ...h264, '-c:a', 'libmp3lame', ...short];
      const media = await remux(makeMedia('mkv', inputs));
      const track = media.track('audio');
      const { timescale, first, length } = track.frames ?? { timescale: 0, first: 0, length: 0 };

      expect(timescale).toBe(rate);
      for (const [n, cut] of media.index.cuts.entries()) {
        const { start } = packed(await media.segment(track, n));
        const frames = ((start / 90_000) * timescale - first) / length;
        expect(Math.abs(frames - Math.round(frames)) * length).toBeLessThan(rate / 1000);
        const behind = start / 90_000 - cut / media.index.timescale;
        expect(behind).toBeGreaterThan(-0.001);
        expect(behind).toBeLessThan(length / timescale);
      }
    },
  );
});

/** The time in the tag of packed sound, in ticks of 90 kHz, and the samples of its frames. */
function packed(segment: Buffer): { readonly start: number; readonly samples: number } {
  const owner = 'com.apple.streaming.transportStreamTimestamp\0';
  const time = segment.indexOf(owner) + owner.length;
  let samples = 0;
  for (let at = time + 8; at < segment.length;) {
    const frame = readMpegAudioFrame(segment, at);
    if (frame === undefined) throw new Error(`There is no frame at ${at}.`);
    samples += frame.samples;
    at += frame.length;
  }
  return { start: Number(segment.readBigUInt64BE(time)), samples };
}
