/** Little pictures of a film for the bar of a player, on sheets. */
import type { MediaStream } from '../../../plugin-api/index.ts';
import type { Trickplay } from '../../contract/resources/viewing/playback-sessions.ts';

/** The pictures with their sheets. */
export interface TrickplaySheets extends Trickplay {
  /** JPEG. */
  readonly sheets: readonly Uint8Array[];
}

const width = 320;
const columns = 10;
const rows = 10;
const interval = 10;
/** A film of four days. */
const mostPictures = 35_000;

/** How the pictures of a video of so many seconds are made. */
export function sheetWorkOf(
  { width: wide = 16, height: high = 9 }: Pick<MediaStream, 'width' | 'height'>,
  seconds: number,
): Trickplay {
  const height = Math.min(1000, Math.max(16, Math.round((width * high) / wide / 2) * 2));
  const count = Math.min(mostPictures, Math.max(1, Math.ceil(seconds / interval)));
  return { width, height, columns, rows, interval, count };
}

/** Whether a sheet of this number exists. */
export const hasSheet = ({ count, columns, rows }: Trickplay, sheet: number): boolean =>
  sheet >= 0 && sheet * columns * rows < count;

/** WebVTT: which part of which sheet shows a time. Addresses are beside that of the text. */
export function trickplayCues(shape: Trickplay, seconds: number): string {
  const cues = Array.from({ length: shape.count }, (_, n) => {
    const end =
      n + 1 === shape.count ? Math.max(seconds, n * shape.interval + 1) : (n + 1) * shape.interval;
    return `${clock(n * shape.interval)} --> ${clock(end)}\n${placeOf(shape, n)}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

function placeOf(shape: Trickplay, n: number): string {
  const perSheet = shape.columns * shape.rows;
  const at = n % perSheet;
  const x = (at % shape.columns) * shape.width;
  const y = Math.floor(at / shape.columns) * shape.height;
  return `${Math.floor(n / perSheet)}.jpg#xywh=${x},${y},${shape.width},${shape.height}`;
}

function clock(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const [hours, minutes] = [ms / 3_600_000, (ms % 3_600_000) / 60_000];
  return `${two(hours)}:${two(minutes)}:${two((ms % 60_000) / 1000)}.${String(ms % 1000).padStart(3, '0')}`;
}
