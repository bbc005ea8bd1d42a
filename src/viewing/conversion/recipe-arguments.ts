/** Arguments that convert by a recipe: its words are looked up in tables, its numbers are checked. */
import type { AudioRecipe, VideoRecipe } from '../../../plugin-api/index.ts';
import { demuxerOf } from './demuxers.ts';
import {
  argumentsOf,
  decibels,
  microseconds,
  ordinalOf,
  quiet,
  reading,
  RecipeRefused,
  rowOf,
  seconds,
  toSdr,
  whole,
  type ConvertedStream,
  type Stretch,
  type Transfer,
  type TranscoderArguments,
} from './argument-parts.ts';
import {
  encoderFlags,
  openingDevice,
  pictureEncoders,
  softwareEncoder,
  type UsedEncoder,
} from './picture-encoders.ts';

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
    quiet,
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
  readonly transfer: Transfer;
  /** Pixels of the made picture, and which of the subtitles are drawn into it, where one is. */
  readonly burn: BurnWork | null;
  /** On the processor when absent. */
  readonly encoder?: UsedEncoder;
  /** Microseconds that are read before `from`, at least. */
  readonly lead?: number;
}

/** Subtitles to draw. Their pictures have the shape of the film, also where its pixels are not square. */
export interface BurnWork {
  readonly width: number;
  readonly height: number;
  readonly ordinal: number;
}

/** Converts a picture: one fragment for each cut. */
export function videoArguments(
  stream: ConvertedStream,
  recipe: VideoRecipe,
  { stretch, cuts, threads, transfer, burn, encoder = softwareEncoder, lead = 0 }: PictureWork,
): TranscoderArguments {
  const { pixels } = pictureEncoders[encoder.kind];
  const encoding = encoderFlags(encoder, recipe.codec);
  if (recipe.burn !== null && burn === null)
    throw new RecipeRefused('The subtitles to draw are not in the file.');
  const first = Math.max(lead, burn === null ? 0 : burnLead, leadOf(stream.container));
  const start = Math.max(0, stretch.from - first);
  const isLed = start < stretch.from;
  const filters = pictureFilters(recipe, { ...stretch, isLed }, { transfer, burn });
  const kbps = whole('kbps', recipe.kbps, 100, 80_000);
  return argumentsOf(
    quiet,
    openingDevice(encoder),
    reading(stream, start),
    burn === null
      ? ['-map', `0:V:${ordinalOf(stream)}`, '-filter:v', [...filters, ...pixels].join(',')]
      : ['-filter_complex', burning(stream, burn, { filters, pixels }), '-map', '[out]'],
    ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'],
    encoding,
    ['-threads:v', String(whole('threads', threads, 1, 64))],
    ['-b:v', `${kbps}k`, '-maxrate', `${Math.round(kbps * 1.4)}k`, '-bufsize', `${kbps * 2}k`],
    ['-force_key_frames', cuts.map((cut) => `${microseconds(cut)}us`).join(',')],
    writing('frag_keyframe'),
  );
}

/** Microseconds that are read before: a subtitle that began there is still shown. */
const burnLead = 5_000_000;
const blindLead = 3_000_000;

/** Readers without an index seek to any packet: pictures are there only from the next keyframe on. */
const leadOf = (container: string | null): number =>
  ['mpegts', 'mpeg'].includes(demuxerOf(container) ?? '') ? blindLead : 0;

/** The picture as it will be, with the subtitles in its size over it. */
function burning(
  stream: ConvertedStream,
  burn: BurnWork,
  { filters, pixels }: { readonly filters: readonly string[]; readonly pixels: readonly string[] },
): string {
  const width = whole('width', burn.width, 16, 8192);
  const height = whole('height', burn.height, 16, 8192);
  return [
    `[0:V:${ordinalOf(stream)}]${filters.join(',')},format=yuv420p[film]`,
    `[0:s:${ordinalOf(burn)}]scale=w=${width}:h=${height}[text]`,
    `[film][text]overlay=eof_action=pass,${pixels.join(',')}[out]`,
  ].join(';');
}

/** Pixels become square, and a picture is never made larger. */
function pictureFilters(
  { height, toneMap, deinterlace }: VideoRecipe,
  { from, to, isLed }: Stretch & { readonly isLed: boolean },
  { transfer, burn }: Pick<PictureWork, 'transfer' | 'burn'>,
): readonly string[] {
  const most = whole('height', height, 144, 2160);
  return [
    // Where sound lasts longer, the last picture stays: a segment without one would stop players.
    'tpad=stop=-1:stop_mode=clone',
    isLed ? `trim=start=${seconds(from)}:end=${seconds(to)}` : `trim=end=${seconds(to)}`,
    // Where sound begins earlier, the first picture is there from the start.
    ...(from === 0 ? ["setpts='if(eq(N,0),0,PTS)'"] : []),
    // Frames that are whole stay as they are.
    ...(deinterlace ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    burn === null
      ? `scale=w='trunc(oh*dar/2)*2':h='trunc(min(${most}\\,ih)/2)*2'`
      : `scale=w=${whole('width', burn.width, 16, 8192)}:h=${whole('height', burn.height, 16, 8192)}`,
    'setsar=1',
    ...(toneMap ? toSdr(transfer) : []),
  ];
}

/** Fragmented MP4 with absolute times to the pipe, the same bytes for the same input. */
const writing = (fragments: 'frag_every_frame' | 'frag_keyframe'): readonly string[] => [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'],
  ...['-avoid_negative_ts', 'disabled', '-use_editlist', '0', '-video_track_timescale', '90000'],
  ...['-movflags', `+empty_moov+default_base_moof+frag_discont+skip_trailer+${fragments}`],
  ...['-flush_packets', '1', '-f', 'mp4', 'pipe:1'],
];
