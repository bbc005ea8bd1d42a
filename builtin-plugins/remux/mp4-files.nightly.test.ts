import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testByNight } from '../../test/support/run/test-by-night.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../../test/support/media/media-files.ts';
import { sampleOf } from '../../test/support/run/nightly.ts';
import { faultsIn, packetsIn, remux, samplesIn } from '../../test/support/media/remuxed.ts';
import {
  differences,
  contents,
  fragmentsIn,
  packetsOf,
  seenSegments,
  timeDifference,
  withoutSilence,
} from '../../test/support/media/seen-segments.ts';

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24'];
const aac = ['-c:a', 'aac', '-shortest'];
const av1 = ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-g', '24'];
/** Samples of 24 bits. */
const fine = ['-sample_fmt', 's32', '-bits_per_raw_sample', '24', '-strict', '-2'];
const film = [...bars(8), ...tone(8), ...h264, '-bf', '2', ...aac];

/** Files whose packets are in the segments one by one, with their times. */
const all: readonly (readonly [name: string, extension: string, args: readonly string[]])[] = [
  ['with B pictures and the index behind', 'mp4', film],
  ['with the index in front', 'mp4', [...film, '-movflags', '+faststart']],
  ['of QuickTime', 'mov', film],
  [
    'without B pictures, of a variable rate',
    'mp4',
    [
      ...bars(8),
      ...tone(8),
      ...h264,
      '-bf',
      '0',
      '-vf',
      "select='mod(n,3)'",
      '-vsync',
      'vfr',
      ...aac,
    ],
  ],
  [
    'whose pictures are all key pictures',
    'mp4',
    [...bars(5), ...tone(5), '-c:v', 'libx264', '-g', '1', '-pix_fmt', 'yuv420p', ...aac],
  ],
  [
    'of H.265',
    'mp4',
    [
      ...bars(6),
      ...tone(6),
      '-c:v',
      'libx265',
      '-pix_fmt',
      'yuv420p',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=none:keyint=24:open-gop=0',
      ...aac,
    ],
  ],
  [
    'of H.265 with open groups',
    'mp4',
    [
      ...bars(8),
      ...tone(8),
      '-c:v',
      'libx265',
      '-pix_fmt',
      'yuv420p',
      '-preset',
      'fast',
      '-x265-params',
      'log-level=none:keyint=24:min-keyint=24:scenecut=0:open-gop=1:bframes=3',
      '-tag:v',
      'hvc1',
      ...aac,
    ],
  ],
  ['with AC-3', 'mp4', [...bars(5), ...tone(5), ...h264, '-c:a', 'ac3', '-shortest']],
  ['with E-AC-3', 'mp4', [...bars(5), ...tone(5), ...h264, '-c:a', 'eac3', '-shortest']],
  ['with Opus', 'mp4', [...bars(5), ...tone(5), ...h264, '-c:a', 'libopus', '-shortest']],
  [
    'with FLAC',
    'mp4',
    [...bars(5), ...tone(5), ...h264, '-c:a', 'flac', '-strict', '-2', '-shortest'],
  ],
  ['with ALAC', 'mov', [...bars(5), ...tone(5), ...h264, '-c:a', 'alac', '-shortest']],
  [
    'of VP9',
    'mp4',
    [
      ...bars(5),
      ...tone(5),
      '-c:v',
      'libvpx-vp9',
      '-pix_fmt',
      'yuv420p',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-g',
      '24',
      ...aac,
    ],
  ],
  [
    'whose sound is late',
    'mp4',
    [...bars(8), '-itsoffset', '2.5', ...tone(5), ...h264, '-map', '0', '-map', '1', '-c:a', 'aac'],
  ],
  [
    'whose pictures are late',
    'mp4',
    ['-itsoffset', '1.3', ...bars(6), ...tone(8), ...h264, '-map', '0', '-map', '1', '-c:a', 'aac'],
  ],
  [
    'whose pictures are shown before their decode times',
    'mp4',
    [...film, '-movflags', '+negative_cts_offsets'],
  ],
  ['of AV1 of 10 bits', 'mp4', [...bars(4), ...tone(4), ...av1, '-pix_fmt', 'yuv420p10le', ...aac]],
  [
    'with FLAC of 24 bits and 192 kHz',
    'mp4',
    [...bars(4), ...tone(4, 192_000), ...h264, '-c:a', 'flac', ...fine, '-shortest'],
  ],
];

/** What players call their codecs, in the same order. */
const codecs = [
  'avc1.4d400c mp4a.40.2',
  'avc1.4d400c mp4a.40.2',
  'avc1.4d400c mp4a.40.2',
  'avc1.42c00c mp4a.40.2',
  'avc1.64100c mp4a.40.2',
  'hvc1.1.6.L60.90 mp4a.40.2',
  'hvc1.1.6.L60.90 mp4a.40.2',
  'avc1.42c00c ac-3',
  'avc1.42c00c ec-3',
  'avc1.42c00c opus',
  'avc1.42c00c fLaC',
  'avc1.42c00c alac',
  'vp09.00.11.08 mp4a.40.2',
  'avc1.42c00c mp4a.40.2',
  'avc1.42c00c mp4a.40.2',
  'avc1.4d400c mp4a.40.2',
  'av01.0.00M.10 mp4a.40.2',
  'avc1.42c00c fLaC',
];
const files = sampleOf(
  all.map((one, at) => [...one, codecs[at]] as const),
  2,
);

describe.skipIf(!hasFfmpeg)('the segments of an MP4 (needs ffmpeg)', () => {
  test.each(files)('%s have all its packets at their times', async (_, extension, args) => {
    const file = makeMedia(extension, args);
    const media = await remux(file);

    for (const track of media.index.tracks) {
      const source = packetsIn(file, String(track.stream));
      const made = withoutSilence(await packetsOf(media, track), source);
      expect(contents(made)).toEqual(contents(source));
      expect(timeDifference(made, source)).toBeLessThan(0.0001);
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
      expect(sound.gap).toBeLessThan(0.001);
      expect(pictures.length).toBeLessThan(0.001);
      // The longest frame of sound here is that of FLAC, 96 ms.
      expect(sound.length).toBeLessThan(0.096 + 0.013);
    },
  );

  test('of a song have its samples and no others, so that an album goes on without a gap', async () => {
    const song = makeMedia('m4a', [...tone(5), '-c:a', 'aac']);
    const media = await remux(song);
    const whole = await media.whole(media.track('audio'));

    expect(samplesIn(whole)).toBe(samplesIn(song));
    // What the encoder put in front is in the first packet, before the time 0.
    expect(packetsIn(whole)[0]?.pts).toBeCloseTo(-1024 / 48_000, 5);
  });

  test('are cut at the first key pictures after one second, later after two', async () => {
    const { index } = await remux(makeMedia('mp4', film));

    expect(index.cuts.map((cut) => Math.round(cut / 1000))).toEqual([
      0, 1001, 2002, 3003, 5005, 7007,
    ]);
  });

  test('have pictures in fragments, short ones first, so that they are shown before all is there', async () => {
    const media = await remux(makeMedia('mp4', film));
    const fragmentsOf = async (kind: 'video' | 'audio', n: number): Promise<readonly Buffer[]> =>
      fragmentsIn(await media.segment(media.track(kind), n));
    const number = (bytes: Buffer, box: string, at: number): number =>
      bytes.readUInt32BE(bytes.indexOf(box) + at);

    // A second, and two seconds; 24 pictures in each.
    const short = await fragmentsOf('video', 2);
    const long = await fragmentsOf('video', 3);
    const counts = [short, long].map((all) => all.map((one) => number(one, 'trun', 8)));
    const sequence = [...short, ...long].map((one) => number(one, 'mfhd', 8));
    const keys = long.map((one) => number(one, 'trun', 24).toString(16));

    expect(counts).toEqual([
      [10, 14],
      [10, 20, 18],
    ]);
    expect(sequence).toEqual([...new Set(sequence)].sort((one, other) => one - other));
    expect(keys[0]).toBe('2000000');
    expect((await fragmentsOf('audio', 3)).length).toBe(1);
  });

  test('are planned without a read beyond the index', async () => {
    const file = makeMedia('mp4', film);
    const media = await remux(file);
    const before = { ...media.asked };

    await media.whole(media.track('video'));

    expect(media.asked.bytes).toBe(before.bytes);
    expect(before.bytes).toBeLessThan(statSync(file).size - 80_000);
  });

  testByNight('of one key picture are one long segment', async () => {
    const file = makeMedia('mp4', [
      ...bars(8),
      '-c:v',
      'libx264',
      '-g',
      '1000',
      '-pix_fmt',
      'yuv420p',
    ]);
    const media = await remux(file);

    expect(media.index.cuts).toEqual([0]);
    expect(contents(await packetsOf(media, media.track('video')))).toEqual(
      contents(packetsIn(file)),
    );
  });

  test('keep the rotation of a phone', async () => {
    const upright = makeMedia('mp4', film);
    const turned = makeMedia('mp4', ['-i', upright, '-c', 'copy', '-metadata:s:v', 'rotate=90']);
    const media = await remux(turned);

    const init = await media.init(media.track('video'));
    const matrix = init.indexOf('tkhd') + 44;
    expect([0, 4, 12, 16].map((at) => init.readInt32BE(matrix + at) / 65_536)).toEqual([
      0, -1, 1, 0,
    ]);
  });

  test('name their codecs as players test them', async () => {
    const named = await Promise.all(
      files.map(async ([, extension, args]) => {
        const { index } = await remux(makeMedia(extension, args));
        return index.tracks.map(({ codecs }) => codecs).join(' ');
      }),
    );

    expect(named).toEqual(files.map(([, , , codecs]) => codecs));
  });

  test('show one picture for fast scrubbing', async () => {
    const file = makeMedia('mp4', film);
    const media = await remux(file);
    const track = media.track('video');

    const bytes = Buffer.concat([await media.init(track), await media.segment(track, 3, true)]);

    const [picture, ...more] = packetsIn(bytes);
    expect(more).toEqual([]);
    expect(picture).toMatchObject({ isKey: true, pts: 3.003 });
  });
});

const fragments: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['at key pictures', ['-movflags', 'frag_keyframe+empty_moov+default_base_moof']],
  [
    'with an index of segments',
    ['-movflags', 'dash+global_sidx+frag_keyframe', '-frag_duration', '1000000'],
  ],
  ['of half a second', ['-movflags', 'empty_moov', '-frag_duration', '500000']],
  ['with an edit list', ['-movflags', 'frag_keyframe+delay_moov']],
];

describe.skipIf(!hasFfmpeg)('the segments of an MP4 in fragments (needs ffmpeg)', () => {
  test.each(sampleOf(fragments, 1))('%s have all its packets at their times', async (_, how) => {
    const file = makeMedia('mp4', [...film, ...how]);
    const media = await remux(file);

    expect(media.index.cuts.map((cut) => Math.round(cut / 1e6))).toEqual([0, 1, 2, 3, 5, 7]);
    for (const track of media.index.tracks) {
      const source = packetsIn(file, String(track.stream));
      const made = withoutSilence(await packetsOf(media, track), source);
      expect(contents(made)).toEqual(contents(source));
      expect(timeDifference(made, source)).toBeLessThan(0.0001);
      expect(differences(await seenSegments(media, track)).gap).toBeLessThan(0.001);
    }
  });
});
