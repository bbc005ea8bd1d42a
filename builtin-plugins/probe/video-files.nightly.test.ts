import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '../../test/support/run/nightly.ts';
import type { ProbeReport } from '../../plugin-api/index.ts';
import {
  bars,
  coverFile,
  durationOf,
  hasFfmpeg,
  makeMedia,
  metadataFile,
  subtitleFile,
  tone,
} from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { probeFiles } from './probe-files.ts';

async function probe(file: string): Promise<ProbeReport> {
  const { size } = statSync(file);
  const input = { libraryId: 'l', libraryType: 'movies', files: [probeFileOf(file, size)] };
  const { results } = await probeFiles(input, createRangeHost().host);
  const [outcome] = results;
  if (outcome?.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.report;
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
const hevcTen = (transfer: string): readonly string[] => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
  ...['-x265-params', `log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`],
  ...['-color_trc', transfer, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
];
/** What ffprobe says of the whole file. */
function timingOf(file: string) {
  const duration = durationOf(file);
  return { duration, bitrate: Math.round((statSync(file).size * 8) / duration) };
}

const chapters = (end: number) => [
  { startTime: 0, endTime: 0.7, title: 'Opening' },
  { startTime: 0.7, endTime: end, title: 'Das Übrige' },
];
const tags = {
  title: 'Film Title',
  artist: 'An Artist',
  album: 'The Album',
  date: '2019-03-04',
  year: 2019,
  genres: ['Drama'],
};
const picture = {
  kind: 'video',
  codec: 'h264',
  profile: 'Constrained Baseline',
  level: '1.2',
  bitDepth: 8,
  width: 320,
  height: 180,
  frameRate: 23.976,
} as const;
const aac = { kind: 'audio', codec: 'aac', profile: 'LC', channels: 1, sampleRate: 48000 } as const;

describe.skipIf(!hasFfmpeg)('probe.probe of video (needs ffmpeg)', () => {
  test('reads all of a Matroska file: streams, flags, languages, chapters, tags, cover', async () => {
    const file = makeMedia('mkv', [
      ...[...bars(), ...tone(), '-i', subtitleFile(), '-i', metadataFile()],
      ...['-map', '0:v', '-map', '1:a', '-map', '1:a', '-map', '2:s'],
      ...['-map_metadata', '3', '-map_chapters', '3', ...h264],
      ...['-c:a:0', 'aac', '-c:a:1', 'ac3', '-c:s', 'srt', '-metadata:s:a:0', 'language=eng'],
      ...['-metadata:s:a:1', 'language=ger', '-metadata:s:a:1', 'title=Kommentar'],
      ...['-metadata:s:s:0', 'language=fre', '-disposition:a:0', 'default'],
      ...['-disposition:a:1', '0', '-disposition:s:0', 'forced'],
      ...['-attach', coverFile(), '-metadata:s:t', 'mimetype=image/jpeg'],
      ...['-metadata:s:t', 'filename=cover.jpg'],
    ]);

    const report = await probe(file);

    expect(report).toEqual({
      container: 'matroska',
      ...timingOf(file),
      streams: [
        { ...picture, index: 0, isDefault: false, isForced: false },
        { ...aac, index: 1, language: 'en', isDefault: true, isForced: false },
        {
          ...{ index: 2, kind: 'audio', codec: 'ac3', channels: 1, sampleRate: 48000 },
          ...{ language: 'de', title: 'Kommentar', isDefault: false, isForced: false },
        },
        {
          ...{ index: 3, kind: 'subtitle', codec: 'subrip', language: 'fr' },
          ...{ isDefault: false, isForced: true },
        },
      ],
      chapters: chapters(2),
      tags,
      artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: statSync(coverFile()).size }],
    });
  });

  test.each([
    ['in front', ['-movflags', '+faststart']],
    ['behind', []],
  ])('reads all of an MP4 file with its index %s', async (_, place) => {
    const file = makeMedia('mp4', [
      ...[...bars(), ...tone(), '-i', subtitleFile(), '-i', metadataFile()],
      ...['-map', '0:v', '-map', '1:a', '-map', '1:a', '-map', '2:s'],
      ...['-map_metadata', '3', '-map_chapters', '3', ...h264],
      ...['-c:a:0', 'aac', '-c:a:1', 'ac3', '-b:a:1', '96k', '-c:s', 'mov_text'],
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger'],
      ...['-metadata:s:s:0', 'language=fre', ...place],
    ]);

    const { streams, ...report } = await probe(file);

    expect(report).toEqual({
      container: 'mp4',
      ...timingOf(file),
      chapters: chapters(durationOf(file)),
      tags,
    });
    expect(streams).toEqual([
      { ...picture, index: 0, isDefault: true, bitrate: expect.any(Number) },
      { ...aac, index: 1, language: 'en', isDefault: true, bitrate: expect.any(Number) },
      {
        ...{ index: 2, kind: 'audio', codec: 'ac3', channels: 1, sampleRate: 48000 },
        ...{ bitrate: 96000, language: 'de', isDefault: false },
      },
      { index: 3, kind: 'subtitle', codec: 'mov_text', language: 'fr', isDefault: true },
    ]);
  });

  test('recognizes HDR10 by the transfer of HEVC, in any container', async () => {
    const mp4 = makeMedia('mp4', [...[...bars(), ...hevcTen('smpte2084'), '-tag:v', 'hvc1']]);
    const files = [
      mp4,
      makeMedia('mkv', ['-i', mp4, '-c', 'copy']),
      makeMedia('ts', ['-i', mp4, '-c', 'copy']),
    ];

    const found = await Promise.all(files.map(probe));

    const seen = found.map(({ container, streams: [video] }) => ({ container, ...video }));
    const hevc = {
      ...{ kind: 'video', codec: 'hevc', profile: 'Main 10', level: '2', bitDepth: 10 },
      ...{ width: 320, height: 180, frameRate: 23.976, hdr: 'hdr10', index: 0 },
    };
    expect(seen).toEqual([
      { container: 'mp4', ...hevc, bitrate: expect.any(Number), isDefault: true },
      { container: 'matroska', ...hevc, isDefault: true, isForced: false },
      { container: 'mpegts', ...hevc },
    ]);
  });

  test('recognizes HLG', async () => {
    const file = makeMedia('mkv', [
      ...bars(),
      ...tone(),
      ...hevcTen('arib-std-b67'),
      '-c:a',
      'eac3',
    ]);

    const { streams } = await probe(file);

    expect(streams.map(({ codec, hdr }) => [codec, hdr])).toEqual([
      ['hevc', 'hlg'],
      ['eac3', undefined],
    ]);
  });

  test.each([
    ['ts', ['-c:a', 'aac', '-metadata:s:a:0', 'language=deu'], { ...aac, language: 'de' }],
    [
      'm2ts',
      ['-c:a', 'ac3', '-b:a', '96k', '-mpegts_m2ts_mode', '1'],
      { kind: 'audio', codec: 'ac3', channels: 1, sampleRate: 48000, bitrate: 96000 },
    ],
  ])('reads streams and duration of a transport stream (%s)', async (extension, args, sound) => {
    const file = makeMedia(extension, [...bars(), ...tone(), ...h264, ...args]);

    const report = await probe(file);

    expect(report).toEqual({
      container: 'mpegts',
      duration: expect.closeTo(2.01, 1),
      bitrate: expect.any(Number),
      streams: [
        { ...picture, index: 0 },
        { ...sound, index: 1 },
      ],
    });
  });

  test('reads MPEG-2 and its sound', async () => {
    const file = makeMedia('ts', [
      ...[...bars(), ...tone(), '-c:v', 'mpeg2video', '-c:a', 'mp2', '-b:a', '128k'],
    ]);

    const { streams } = await probe(file);

    expect(streams).toEqual([
      {
        ...{ index: 0, kind: 'video', codec: 'mpeg2video', profile: 'Main', level: 'Main' },
        ...{ width: 320, height: 180, frameRate: 23.976, bitDepth: 8 },
      },
      {
        ...{ index: 1, kind: 'audio', codec: 'mp2', channels: 1, sampleRate: 48000 },
        bitrate: 128000,
      },
    ]);
  });

  test('reads all of an AVI file', async () => {
    const file = makeMedia('avi', [
      ...[...bars(), ...tone(), '-c:v', 'mpeg4', '-vtag', 'XVID', '-c:a', 'libmp3lame'],
      ...['-b:a', '128k', '-metadata', 'title=A Title'],
    ]);

    const report = await probe(file);

    expect(report).toEqual({
      container: 'avi',
      duration: expect.closeTo(2.04, 1),
      bitrate: expect.any(Number),
      streams: [
        {
          ...{ index: 0, kind: 'video', codec: 'mpeg4', width: 320, height: 180 },
          ...{ profile: 'Simple', level: '1' },
          ...{ frameRate: 23.976, isDefault: true },
        },
        {
          ...{ index: 1, kind: 'audio', codec: 'mp3', channels: 1, sampleRate: 48000 },
          ...{ bitrate: 128000, isDefault: true },
        },
      ],
      tags: { title: 'A Title' },
    });
  });

  const contents: readonly (readonly [string, readonly string[], string, string])[] = [
    ['webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus'], 'vp9', 'opus'],
    ['webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis'], 'vp8', 'vorbis'],
    ['ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis'], 'theora', 'vorbis'],
    ['mov', ['-c:v', 'prores_ks', '-c:a', 'pcm_s16le'], 'prores', 'pcm_s16le'],
  ];
  test.each(sampleOf(contents, 2))(
    'reads the content of a %s file of %s',
    async (extension, args, video, sound) => {
      const file = makeMedia(extension, [...bars(), ...tone(), ...args]);

      const { container, duration, streams } = await probe(file);

      expect({ container, duration, streams: streams.map(({ codec }) => codec) }).toEqual({
        container: extension === 'ogv' ? 'ogg' : extension,
        duration: expect.closeTo(2.005, 1),
        streams: [video, sound],
      });
      expect(streams).toMatchObject([
        { width: 320, height: 180, frameRate: 23.976 },
        { channels: 1, sampleRate: 48000 },
      ]);
    },
  );

  test('reads AV1 with profile, level and depth', async () => {
    const mp4 = makeMedia('mp4', [...bars(), '-c:v', 'libsvtav1', '-preset', '12']);
    const files = [mp4, makeMedia('mkv', ['-i', mp4, '-c', 'copy'])];

    const found = await Promise.all(files.map(probe));

    const av1 = {
      codec: 'av1',
      profile: 'Main',
      level: '2.0',
      bitDepth: 8,
      width: 320,
      height: 180,
    };
    expect(found.map(({ streams }) => streams[0])).toMatchObject([av1, av1]);
  });

  test('reads the duration of a fragmented file', async () => {
    const file = makeMedia('mp4', [
      ...[...bars(), ...tone(), ...h264, '-c:a', 'aac'],
      ...['-movflags', 'frag_keyframe+empty_moov'],
    ]);

    const { duration } = await probe(file);

    expect(duration).toBeCloseTo(2.02, 1);
  });

  test('measures duration and rate of a file whose header lacks them', async () => {
    const whole = makeMedia('mkv', [...bars(), ...h264]);
    const file = makeMedia('mkv', ['-i', whole, '-c', 'copy', '-live', '1', '-f', 'matroska']);

    const { duration, streams } = await probe(file);

    expect(duration).toBeCloseTo(1.96, 1);
    expect(streams[0]?.frameRate).toBe(23.976);
  });

  test('reads the display size: rotated, and with pixels that are not square', async () => {
    const plain = makeMedia('mov', [...bars(), ...h264]);
    const turned = makeMedia('mp4', ['-i', plain, '-c', 'copy', '-metadata:s:v', 'rotate=90']);
    const wide = ['-vf', 'setsar=4/3', ...h264];

    const found = await Promise.all(
      [turned, makeMedia('mp4', [...bars(), ...wide]), makeMedia('mkv', [...bars(), ...wide])].map(
        probe,
      ),
    );

    expect(
      found.map(({ streams: [video] }) => [
        video?.width,
        video?.height,
        (video?.rotation ?? 0) % 180,
      ]),
    ).toEqual([
      [180, 320, 90],
      [427, 180, 0],
      [427, 180, 0],
    ]);
  });

  const profiles: readonly (readonly [string, string, string, number])[] = [
    ['high', 'yuv420p', 'High', 8],
    ['high10', 'yuv420p10le', 'High 10', 10],
    ['high422', 'yuv422p', 'High 4:2:2', 8],
  ];
  test.each(sampleOf(profiles, 2))(
    'reads the profile %s of H.264',
    async (profile, format, name, bitDepth) => {
      const args = ['-c:v', 'libx264', '-profile:v', profile, '-pix_fmt', format];
      const file = makeMedia('mp4', [...bars(1, '640x360', '50'), ...args]);

      const { streams } = await probe(file);

      expect(streams[0]).toMatchObject({
        profile: name,
        bitDepth,
        width: 640,
        height: 360,
        frameRate: 50,
      });
    },
  );
});
