/** Arguments of the jobs that look at media: little pictures, a still, and loudness. */
import {
  argumentsOf,
  microseconds,
  ordinalOf,
  quiet,
  reading,
  toSdr,
  whole,
  type ConvertedStream,
  type Transfer,
  type TranscoderArguments,
} from './argument-parts.ts';

/** Sheets of little pictures, one picture for each interval. */
export interface SheetWork {
  /** Pixels of one picture, even. */
  readonly width: number;
  readonly height: number;
  /** Pictures in a row, and in a column. */
  readonly columns: number;
  readonly rows: number;
  /** Seconds from one picture to the next. */
  readonly interval: number;
  /** Pictures in all. */
  readonly count: number;
  /** How HDR is stored; `null` = the picture is SDR, or is shown as it is. */
  readonly transfer: Transfer | null;
}

/**
 * Only keyframes are decoded. Each picture is the last keyframe before its time, which is where a
 * player arrives when it seeks; after the last keyframe it stays.
 */
export function sheetArguments(stream: ConvertedStream, work: SheetWork): TranscoderArguments {
  const [width, height] = sizeOf(work);
  const columns = whole('columns', work.columns, 1, 20);
  const rows = whole('rows', work.rows, 1, 20);
  const count = whole('count', work.count, 1, 100_000);
  const filters = [
    `fps=fps=1/${whole('interval', work.interval, 1, 600)}:start_time=0:round=up`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${count}`,
    ...shrink(width, height, work.transfer),
    `tile=${columns}x${rows}`,
  ];
  return argumentsOf(quiet, reading(stream, 0, keyframes), [
    ...['-map', `0:V:${ordinalOf(stream)}`, '-filter:v', filters.join(',')],
    ...writingPictures(6),
  ]);
}

/** One picture of a film. */
export interface StillWork extends Pick<SheetWork, 'width' | 'height' | 'transfer'> {
  /** Microseconds since the beginning of the film. */
  readonly at: number;
}

/** The most typical of twelve keyframes from a time on, so that it is not a black one. */
export function stillArguments(stream: ConvertedStream, work: StillWork): TranscoderArguments {
  const [width, height] = sizeOf(work);
  const filters = ['thumbnail=n=12', ...shrink(width, height, work.transfer)];
  return argumentsOf(quiet, reading(stream, microseconds(work.at), keyframes), [
    ...['-map', `0:V:${ordinalOf(stream)}`, '-filter:v', filters.join(','), '-frames:v', '1'],
    ...writingPictures(3),
  ]);
}

/**
 * Measures loudness (EBU R 128). The summary is in the error output. What is heard goes to the pipe in
 * little, so that a run of which nobody reads the output waits.
 */
export const loudnessArguments = (stream: ConvertedStream): TranscoderArguments =>
  argumentsOf(
    ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'info'],
    reading(stream, 0),
    ['-map', `0:a:${ordinalOf(stream)}`, '-filter:a', 'ebur128=peak=true:framelog=verbose'],
    ['-ar', '8000', '-ac', '1', '-c:a', 'pcm_u8', '-f', 'u8', 'pipe:1'],
  );

const keyframes = ['-skip_frame', 'nokey'];

const sizeOf = ({ width, height }: Pick<SheetWork, 'width' | 'height'>) =>
  [whole('width', width, 16, 4096), whole('height', height, 16, 4096)] as const;

/** Smaller first, since mapping tones takes longest. */
const shrink = (width: number, height: number, transfer: Transfer | null): readonly string[] => [
  `scale=w=${width}:h=${height}`,
  'setsar=1',
  ...(transfer === null ? [] : toSdr(transfer)),
  'format=yuvj420p',
];

/** JPEG, one picture after the other. */
const writingPictures = (quality: number): readonly string[] => [
  ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
  ...['-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-threads:v', '1', '-q:v', String(quality)],
  ...['-flush_packets', '1', '-f', 'image2pipe', 'pipe:1'],
];
