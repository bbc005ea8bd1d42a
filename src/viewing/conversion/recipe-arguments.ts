/**
 * The only place that makes arguments of a transcoder. They are made of words and numbers of a closed
 * set: of constants here, of a row of a table, or of a number that was checked. No text of a client, a
 * plugin or a media file becomes a part of them, and no shell reads them.
 */
import type { AudioRecipe, VideoRecipe } from '../../../plugin-api/index.ts';
import { demuxerOf } from './demuxers.ts';

declare const made: unique symbol;

/** Arguments that were made here. */
export type TranscoderArguments = readonly string[] & { readonly [made]: true };

const argumentsOf = (...parts: readonly (readonly string[])[]): TranscoderArguments =>
  // The one place where the mark is given.
  parts.flat() as readonly string[] as TranscoderArguments;

/** The addresses under which a run opens its one input: in a cage, and without one. */
export type InputUrl = 'file:/in' | 'file:/dev/fd/4';

/** A stream of a media file to convert. */
export interface ConvertedStream {
  readonly url: InputUrl;
  /** As the probe names it. */
  readonly container: string | null;
  /** Which of the streams of its kind; the first is 0. Pictures of a cover do not count. */
  readonly ordinal: number;
}

/** A stretch of time, in microseconds since the beginning of the file. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Something that no recipe may say. */
export class RecipeRefused extends Error {}

const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error'];
const questions = { version: '-version', encoders: '-encoders', filters: '-filters' };

/** Asks the transcoder what it is. */
export const question = (about: keyof typeof questions): TranscoderArguments =>
  argumentsOf(['-hide_banner', questions[about]]);

/** Encodes a little picture and sound, which the transcoder makes itself. */
export const selfTest = (): TranscoderArguments =>
  argumentsOf(
    quiet,
    ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=1'],
    ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
    ['-f', 'mp4', '-movflags', '+empty_moov+frag_keyframe', 'pipe:1'],
  );

/** Tries to copy a file of the server by its name. In a cage it must fail. */
export function escapeTest(file: string): TranscoderArguments {
  if (!file.startsWith('/')) throw new RecipeRefused(`${file} is not an absolute path.`);
  return argumentsOf(
    quiet,
    ['-protocol_whitelist', 'file', '-f', 'data', '-i', `file:${file}`],
    ['-map', '0', '-c', 'copy', '-f', 'data', 'pipe:1'],
  );
}

/** Tries to open a socket. In a cage it must fail as not permitted. */
export const networkTest = (): TranscoderArguments =>
  argumentsOf(quiet, [
    ...['-protocol_whitelist', 'tcp', '-f', 'data', '-i', 'tcp://127.0.0.1:9?timeout=100000'],
    ...['-f', 'null', 'pipe:1'],
  ]);

/** An encoder of sound. All of them work with 48000 samples a second. */
interface SoundEncoder {
  readonly name: string;
  /** Samples of one packet. */
  readonly frame: number;
  readonly flags: readonly string[];
}

/** Samples a second of all converted sound. */
export const soundRate = 48_000;

/** The encoders of sound, by the word of the recipe. */
export const soundEncoders: Readonly<Record<AudioRecipe['codec'], SoundEncoder>> = {
  aac: { name: 'aac', frame: 1024, flags: [] },
  opus: { name: 'libopus', frame: 960, flags: ['-frame_duration', '20', '-mapping_family', '-1'] },
  // In MP4 it is finished, but older versions of ffmpeg call it experimental.
  flac: { name: 'flac', frame: 4608, flags: ['-sample_fmt', 's16', '-strict', 'experimental'] },
};

/** The encoders of pictures on the processor, by the word of the recipe. */
export const pictureEncoders: Readonly<Record<VideoRecipe['codec'], string | null>> = {
  h264: 'libx264',
  hevc: 'libx265',
  av1: null,
};

const layouts: readonly (string | undefined)[] = [
  ...[undefined, 'mono', 'stereo', '3.0', '4.0', '5.0', '5.1', '6.1', '7.1'],
];

/**
 * Converts sound: one fragment for each packet, on the grid of packets from time 0. `from` is where
 * the first packet starts; the caller leaves out the packets before the segment that it wants.
 */
export function audioArguments(
  stream: ConvertedStream,
  recipe: AudioRecipe,
  { from, to }: Stretch,
): TranscoderArguments {
  const encoder = rowOf(soundEncoders, recipe.codec);
  const layout = layouts[whole('channels', recipe.channels, 1, 8)];
  const kbps = whole('kbps', recipe.kbps, 32, 2000);
  const gain = decibels(recipe.gainDb);
  const first = Math.floor((from * soundRate) / 1_000_000 / encoder.frame) * encoder.frame;
  const filters = [
    // Sound that starts late or has holes is filled with silence, so that packet and time agree.
    `aresample=${soundRate}:async=1:min_comp=0.00002:first_pts=${first}`,
    `aformat=channel_layouts=${layout}`,
    ...(gain === 0 ? [] : [`volume=${gain}dB`]),
    'apad',
    `atrim=end=${seconds(to)}`,
  ];
  return argumentsOf(
    reading(stream, Math.max(0, from - soundLead)),
    ['-map', `0:a:${ordinalOf(stream)}`, '-filter:a', filters.join(',')],
    ['-c:a', encoder.name, ...encoder.flags],
    recipe.codec === 'flac' ? [] : ['-b:a', `${kbps}k`],
    writing('frag_every_frame'),
  );
}

/** Microseconds that are read before `from`, since a decoder begins with what it has not yet. */
const soundLead = 200_000;

/** How to convert a picture. */
export interface PictureWork {
  readonly stretch: Stretch;
  /** Where segments start within the stretch, in microseconds; the first is `from`. */
  readonly cuts: readonly number[];
  /** Most threads of the encoder. */
  readonly threads: number;
  /** How the source stores brightness, where the recipe maps tones. */
  readonly transfer: 'pq' | 'hlg';
}

/** Converts a picture: one fragment for each cut. */
export function videoArguments(
  stream: ConvertedStream,
  recipe: VideoRecipe,
  { stretch, cuts, threads, transfer }: PictureWork,
): TranscoderArguments {
  const encoder = rowOf(pictureEncoders, recipe.codec);
  if (encoder === null) throw new RecipeRefused(`There is no encoder for ${recipe.codec}.`);
  if (recipe.burn !== null) throw new RecipeRefused('Subtitles cannot be drawn into the picture.');
  const kbps = whole('kbps', recipe.kbps, 100, 80_000);
  return argumentsOf(
    reading(stream, stretch.from),
    ['-map', `0:V:${ordinalOf(stream)}`, '-filter:v', pictureFilters(recipe, stretch.to, transfer)],
    ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'],
    ['-c:v', encoder, '-preset', 'veryfast', '-bf', '0', '-g', '100000', '-sc_threshold', '0'],
    recipe.codec === 'hevc' ? ['-tag:v', 'hvc1', '-x265-params', 'log-level=none'] : [],
    recipe.codec === 'h264'
      ? ['-profile:v', 'high', '-forced-idr', '1', '-rc-lookahead', '10']
      : [],
    ['-threads:v', String(whole('threads', threads, 1, 64))],
    ['-b:v', `${kbps}k`, '-maxrate', `${Math.round(kbps * 1.4)}k`, '-bufsize', `${kbps * 2}k`],
    ['-force_key_frames', cuts.map((cut) => `${microseconds(cut)}us`).join(',')],
    writing('frag_keyframe'),
  );
}

const transfers = { pq: 'smpte2084', hlg: 'arib-std-b67' };

/** What the source says of itself may be missing, so it is given. */
const toSdr = (transfer: PictureWork['transfer']): readonly string[] => [
  `zscale=tin=${rowOf(transfers, transfer)}:pin=bt2020:min=bt2020nc:transfer=linear:npl=100`,
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=hable:desat=0',
  'zscale=transfer=bt709:matrix=bt709:range=tv',
];

/** Pixels become square, and a picture is never made larger. */
function pictureFilters(
  { height, toneMap, deinterlace }: VideoRecipe,
  to: number,
  transfer: PictureWork['transfer'],
): string {
  const most = whole('height', height, 144, 2160);
  return [
    // Where sound lasts longer, the last picture stays: a segment without one would stop players.
    'tpad=stop=-1:stop_mode=clone',
    `trim=end=${seconds(to)}`,
    ...(deinterlace ? ['bwdif=mode=send_frame'] : []),
    `scale=w='trunc(oh*dar/2)*2':h='trunc(min(${most}\\,ih)/2)*2'`,
    'setsar=1',
    ...(toneMap ? toSdr(transfer) : []),
    'format=yuv420p',
  ].join(',');
}

/** Opens the one input with the one reader, from a time on. */
function reading({ url, container }: ConvertedStream, from: number): readonly string[] {
  const demuxer = demuxerOf(container);
  if (demuxer === null)
    throw new RecipeRefused('The container of the file is not one that can be converted.');
  return [
    ...[...quiet, '-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxer],
    // Times begin at 0 and are those of the file, also after a seek.
    ...['-copyts', '-start_at_zero'],
    ...(from > 0 ? ['-ss', `${microseconds(from)}us`] : []),
    ...['-i', url],
  ];
}

/** Fragmented MP4 with absolute times to the pipe, the same bytes for the same input. */
const writing = (fragments: 'frag_every_frame' | 'frag_keyframe'): readonly string[] => [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'],
  ...['-avoid_negative_ts', 'disabled', '-use_editlist', '0', '-video_track_timescale', '90000'],
  ...['-movflags', `+empty_moov+default_base_moof+frag_discont+skip_trailer+${fragments}`],
  ...['-flush_packets', '1', '-f', 'mp4', 'pipe:1'],
];

const ordinalOf = ({ ordinal }: ConvertedStream): number => whole('ordinal', ordinal, 0, 10_000);

const microseconds = (time: number): number => whole('time', time, 0, 1e13);

const seconds = (time: number): string => (microseconds(time) / 1_000_000).toFixed(6);

function whole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
    return value;
  throw new RecipeRefused(`${name} must be a whole number from ${least} to ${most}.`);
}

function decibels(value: unknown): number {
  if (typeof value === 'number' && Math.abs(value) <= 24) return Math.round(value * 100) / 100;
  throw new RecipeRefused('gainDb must be a number from -24 to 24.');
}

function rowOf<T>(table: Readonly<Record<string, T>>, word: unknown): T {
  const row = typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
  if (row === undefined)
    throw new RecipeRefused(`codec must be one of ${Object.keys(table).join(', ')}.`);
  return row;
}
