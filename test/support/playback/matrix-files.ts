/**
 * The files of the acceptance matrix of playback: each way in which films and music are stored that
 * people have. All show the number of their picture in eight bars, so that a test can read which
 * picture a player shows.
 */
import { keepFile, makeMedia, tone } from '../media/media-files.ts';

/** How a browser plays the picture and the sound; absent = the file has none. */
export interface MatrixWays {
  readonly video?: 'direct' | 'copy' | 'convert';
  readonly audio?: 'direct' | 'copy' | 'convert';
}

export interface MatrixFile extends MatrixWays {
  /** Absent = as the server decides. */
  readonly mode?: 'remux';
  readonly name: string;
  readonly extension: string;
  readonly make: () => string;
  /** Seconds, where it is not the usual length. */
  readonly seconds?: number;
  /** Between which seconds it has pictures, if not all the time. */
  readonly pictures?: readonly [from: number, to: number];
}

/** Seconds of a file, and its pictures a second. */
export const matrixSeconds = 6;
export const matrixRate = 24;
/** Bars from left to right: the lowest bit first. */
export const matrixBits = 8;

/** Lossless pictures with their number, and a tone. */
function source(): string {
  const size = `size=320x180:rate=${matrixRate}:duration=${matrixSeconds}`;
  const bar = `16+219*mod(floor(N/pow(2,floor(X/${320 / matrixBits}))),2)`;
  return makeMedia('mkv', [
    ...['-f', 'lavfi', '-i', `color=black:${size},geq=lum='${bar}':cb=128:cr=128`],
    ...tone(matrixSeconds),
    ...['-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'pcm_s16le'],
  ]);
}

const texts = (extension: 'srt' | 'ass'): string =>
  extension === 'srt'
    ? keepFile('srt', '1\n00:00:00,500 --> 00:00:02,500\nHello.\n')
    : makeMedia('ass', ['-i', texts('srt')]);

const made =
  (extension: string, ...codecs: readonly string[]) =>
  (): string =>
    makeMedia(extension, ['-i', source(), ...codecs]);

const fast = ['-preset', 'ultrafast', '-g', '24'];
const h264 = ['-c:v', 'libx264', ...fast, '-bf', '2', '-pix_fmt', 'yuv420p'];
const hevc = (depth: string): readonly string[] => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', depth],
  ...['-x265-params', 'log-level=none:keyint=24'],
];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '24'];
const av1 = ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-g', '24'];
const aac = ['-c:a', 'aac'];
const strict = ['-strict', '-2'];
const hdr = [
  ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
];

interface Made extends Pick<MatrixFile, 'pictures'> {
  readonly ways: MatrixWays;
  readonly codecs: readonly string[];
  readonly seconds?: number;
}

const film = (name: string, extension: string, { ways, codecs, ...more }: Made): MatrixFile => ({
  ...{ name, extension, ...ways, ...more, ...(ways === copied && { mode: 'remux' }) },
  make: made(extension, ...codecs),
});

const direct = { video: 'direct', audio: 'direct' } as const;
const copied = { video: 'copy', audio: 'copy' } as const;
const newSound = { video: 'copy', audio: 'convert' } as const;
const newPicture = { video: 'convert', audio: 'copy' } as const;
const converted = { video: 'convert', audio: 'convert' } as const;
const mpeg2 = ['-c:v', 'mpeg2video', '-q:v', '3', '-g', '12'];

/** A film whose first input is the source, with further inputs. */
const mixed = (
  name: string,
  extension: string,
  { inputs, ...rest }: Made & { readonly inputs: () => readonly string[] },
): MatrixFile => ({
  ...{
    name,
    extension,
    ...rest.ways,
    ...(rest.seconds !== undefined && { seconds: rest.seconds }),
  },
  make: () => makeMedia(extension, ['-i', source(), ...inputs(), ...rest.codecs]),
});

/** The first seconds of a track alone. */
const part = (track: 'v' | 'a', from: number, to: number): string =>
  track === 'a'
    ? `[0:a]atrim=${from}:${to},asetpts=PTS-STARTPTS+${from}/TB[a]`
    : `[0:v]trim=${from}:${to},setpts=PTS-STARTPTS+${from}/TB[v]`;
const onlyPart = (track: 'v' | 'a', from: number, to: number): readonly string[] => [
  ...['-filter_complex', part(track, from, to), '-map', track === 'v' ? '[v]' : '0:v'],
  ...['-map', track === 'v' ? '0:a' : '[a]'],
];

/** Files whose tracks do not begin and end together, or that are odd in another way. */
export const oddFiles: readonly MatrixFile[] = [
  film('mp4 late sound', 'mp4', {
    ways: copied,
    codecs: [...onlyPart('a', 2.5, matrixSeconds), ...h264, ...aac],
  }),
  film('mkv late mp3', 'mkv', {
    ways: copied,
    codecs: [...onlyPart('a', 3.3, matrixSeconds), ...h264, '-c:a', 'libmp3lame'],
  }),
  film('mkv short opus', 'mkv', {
    ways: copied,
    codecs: [...onlyPart('a', 0, 2.4), ...h264, '-c:a', 'libopus'],
  }),
  film('mp4 short sound', 'mp4', {
    ways: copied,
    codecs: [...onlyPart('a', 0, 1.5), ...h264, ...aac],
  }),
  film('mp4 late picture', 'mp4', {
    ways: copied,
    codecs: [...onlyPart('v', 1.5, matrixSeconds), '-vsync', '0', ...h264, ...aac],
    pictures: [1.5, matrixSeconds],
  }),
  film('mkv late picture', 'mkv', {
    ways: copied,
    codecs: [...onlyPart('v', 1.5, matrixSeconds), '-vsync', '0', ...h264, ...aac],
    pictures: [1.5, matrixSeconds],
  }),
  film('mp4 short picture', 'mp4', {
    ways: copied,
    codecs: [...onlyPart('v', 0, 3), ...h264, ...aac],
    pictures: [0, 3],
  }),
  film('avi short picture', 'avi', {
    ways: converted,
    codecs: [...onlyPart('v', 0, 3), '-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'libmp3lame'],
    pictures: [0, 3],
  }),
  film('mkv late picture of mpeg2', 'mkv', {
    ways: newPicture,
    codecs: [...onlyPart('v', 1.5, matrixSeconds), ...mpeg2, ...aac],
    pictures: [1.5, matrixSeconds],
  }),
  film('m2ts h264 ac3', 'm2ts', { ways: newSound, codecs: [...h264, '-c:a', 'ac3'] }),
  film('mkv without cues', 'mkv', {
    ways: copied,
    codecs: [...h264, ...aac, '-f', 'matroska', '-live', '1'],
  }),
  film('flv h264 aac', 'flv', { seconds: 6.08, ways: converted, codecs: [...h264, ...aac] }),
  film('avi h264 mp3', 'avi', {
    ways: converted,
    codecs: [...h264, '-bf', '0', '-c:a', 'libmp3lame'],
  }),
  film('mp4 of eight sounds', 'mp4', {
    ways: copied,
    codecs: [
      '-map',
      '0:v',
      ...Array.from({ length: 8 }, () => ['-map', '0:a']).flat(),
      ...h264,
      ...aac,
    ],
  }),
];

const song = (
  name: string,
  extension: string,
  audio: MatrixWays['audio'],
  ...codecs: readonly string[]
): MatrixFile =>
  film(name, extension, { ways: audio === undefined ? {} : { audio }, codecs: ['-vn', ...codecs] });

const hiRes = ['-ar', '192000', '-c:a', 'flac', '-sample_fmt', 's32', '-bits_per_raw_sample', '24'];

/** Music. */
export const songFiles: readonly MatrixFile[] = [
  song('song mp3', 'mp3', 'direct', '-c:a', 'libmp3lame'),
  song('song flac', 'flac', 'direct', '-c:a', 'flac'),
  song('song flac of 24 bits', 'flac', 'direct', ...hiRes),
  song('song opus', 'opus', 'direct', '-c:a', 'libopus'),
  song('song vorbis', 'ogg', 'direct', '-c:a', 'libvorbis'),
  song('song m4a', 'm4a', 'direct', ...aac),
  song('song wav', 'wav', 'direct', '-c:a', 'pcm_s16le'),
  song('song alac', 'm4a', 'convert', '-c:a', 'alac'),
  song('song wma', 'wma', 'convert', '-c:a', 'wmav2'),
  song('song aiff', 'aiff', 'convert', '-c:a', 'pcm_s16be'),
];

/** The files of the design, by its numbers. */
export const matrixFiles: readonly MatrixFile[] = [
  film('01 mp4 h264 aac', 'mp4', {
    ways: direct,
    codecs: [...h264, ...aac, '-movflags', '+faststart'],
  }),
  film('02 mp4 index behind', 'mp4', { ways: direct, codecs: [...h264, ...aac] }),
  film('03 mp4 in fragments', 'mp4', {
    ways: direct,
    codecs: [...h264, '-bf', '0', ...aac, '-movflags', '+frag_keyframe+empty_moov'],
  }),
  film('04 mov h264 aac', 'mov', { ways: copied, codecs: [...h264, ...aac] }),
  film('05 mkv h264 aac', 'mkv', { ways: direct, codecs: [...h264, ...aac] }),
  mixed('06 mkv with srt', 'mkv', {
    ...{ ways: direct, inputs: () => ['-i', texts('srt')] },
    codecs: ['-map', '0', '-map', '1', ...h264, ...aac, '-c:s', 'srt'],
  }),
  mixed('07 mkv with ass', 'mkv', {
    ...{ ways: direct, inputs: () => ['-i', texts('ass')] },
    codecs: ['-map', '0', '-map', '1', ...h264, ...aac, '-c:s', 'ass'],
  }),
  film('08 mkv h264 ac3', 'mkv', { ways: newSound, codecs: [...h264, '-c:a', 'ac3'] }),
  film('09 mkv h264 eac3', 'mkv', { ways: newSound, codecs: [...h264, '-c:a', 'eac3'] }),
  film('10 mkv h264 dts', 'mkv', { ways: newSound, codecs: [...h264, '-c:a', 'dca', ...strict] }),
  film('11 mkv h264 flac', 'mkv', { ways: direct, codecs: [...h264, '-c:a', 'flac'] }),
  film('12 mkv h264 opus', 'mkv', { ways: direct, codecs: [...h264, '-c:a', 'libopus'] }),
  film('13 mkv h264 mp3', 'mkv', { ways: direct, codecs: [...h264, '-c:a', 'libmp3lame'] }),
  film('14 mkv h264 vorbis', 'mkv', { ways: direct, codecs: [...h264, '-c:a', 'libvorbis'] }),
  film('15 mkv h264 truehd', 'mkv', {
    ways: newSound,
    codecs: [...h264, '-c:a', 'truehd', ...strict],
  }),
  film('16 mkv hevc aac', 'mkv', { ways: newPicture, codecs: [...hevc('yuv420p'), ...aac] }),
  film('17 mkv hevc hdr10 eac3', 'mkv', {
    ways: converted,
    codecs: [...hevc('yuv420p10le'), ...hdr, '-c:a', 'eac3'],
  }),
  film('18 mkv av1 opus', 'mkv', { ways: direct, codecs: [...av1, '-c:a', 'libopus'] }),
  film('19 webm vp9 opus', 'webm', { ways: direct, codecs: [...vp9, '-c:a', 'libopus'] }),
  film('20 mkv vp9 aac', 'mkv', { ways: direct, codecs: [...vp9, ...aac] }),
  film('21 avi mpeg4 mp3', 'avi', {
    ways: converted,
    codecs: ['-c:v', 'mpeg4', '-q:v', '3', '-g', '24', '-c:a', 'libmp3lame'],
  }),
  film('22 ts h264 aac', 'ts', { ways: copied, codecs: [...h264, ...aac] }),
  film('23 ts mpeg2 interlaced ac3', 'ts', {
    ways: converted,
    codecs: [...mpeg2, '-flags', '+ilme+ildct', '-top', '1', '-c:a', 'ac3'],
  }),
  film('24 mkv h264 of 10 bits', 'mkv', {
    ways: direct,
    codecs: ['-c:v', 'libx264', ...fast, '-pix_fmt', 'yuv420p10le', ...aac],
  }),
  mixed('25 mkv of two languages', 'mkv', {
    ...{ ways: direct, inputs: () => tone(matrixSeconds, 44_100) },
    codecs: [
      ...['-map', '0', '-map', '1', ...h264, ...aac],
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'],
    ],
  }),
  film('26 mkv mpeg2 pcm', 'mkv', { ways: converted, codecs: [...mpeg2, '-c:a', 'pcm_s16le'] }),
  film('27 wmv', 'wmv', {
    ways: converted,
    codecs: ['-c:v', 'wmv2', '-q:v', '3', '-g', '24', '-c:a', 'wmav2'],
  }),
  film('28 ogv theora vorbis', 'ogv', {
    ways: converted,
    codecs: ['-c:v', 'libtheora', '-q:v', '8', '-g', '24', '-c:a', 'libvorbis'],
  }),
];
