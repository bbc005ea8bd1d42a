/**
 * What arguments of a transcoder are made of: constants, rows of tables, and numbers that were
 * checked. Only the files `*-arguments.ts` of this folder put them together. No text of a client, a
 * plugin or a media file becomes a part of them, and no shell reads them.
 */
import { demuxerOf } from './demuxers.ts';

declare const made: unique symbol;

/** Arguments that were made here. */
export type TranscoderArguments = readonly string[] & { readonly [made]: true };

/** Joins parts. */
export const argumentsOf = (...parts: readonly (readonly string[])[]): TranscoderArguments =>
  // The one place where the mark is given.
  parts.flat() as readonly string[] as TranscoderArguments;

/** The addresses under which a run opens its one input: in a cage, and without one. */
export type InputUrl = 'file:/in' | 'file:/dev/fd/4';

/** A stream of a media file. */
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

/** How a picture stores brightness that a screen without HDR does not show. */
export type Transfer = 'pq' | 'hlg';

/** Something that no recipe may say. */
export class RecipeRefused extends Error {}

/** What each run begins with. */
export const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error'];

/**
 * The most pixels of a picture that is decoded: 8192x4320. Attached pictures are decoded too, to learn
 * their form, and a few kilobytes can become gigabytes.
 */
const mostPixels = 8192 * 4320;

/** Opens the one input with the one reader, from a time on. */
export function reading(
  { url, container }: Pick<ConvertedStream, 'url' | 'container'>,
  from: number,
  options: readonly string[] = [],
): readonly string[] {
  const demuxer = demuxerOf(container);
  if (demuxer === null)
    throw new RecipeRefused('The container of the file is not one that can be converted.');
  return [
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxer],
    ...['-max_pixels', String(mostPixels)],
    // Times begin at 0 and are those of the file, also after a seek.
    ...['-copyts', '-start_at_zero'],
    ...(from > 0 ? ['-ss', `${microseconds(from)}us`] : []),
    ...options,
    ...['-i', url],
  ];
}

/** Which of the streams of its kind. */
export const ordinalOf = ({ ordinal }: Pick<ConvertedStream, 'ordinal'>): number =>
  whole('ordinal', ordinal, 0, 10_000);

/** A time in microseconds. */
export const microseconds = (time: number): number => whole('time', time, 0, 1e13);

/** A time in microseconds as seconds. */
export const seconds = (time: number): string => (microseconds(time) / 1_000_000).toFixed(6);

/** A whole number in its limits. */
export function whole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
    return value;
  throw new RecipeRefused(`${name} must be a whole number from ${least} to ${most}.`);
}

/** A gain. */
export function decibels(value: unknown): number {
  if (typeof value === 'number' && Math.abs(value) <= 24) return Math.round(value * 100) / 100;
  throw new RecipeRefused('gainDb must be a number from -24 to 24.');
}

/** The row of a table for a word. */
export function rowOf<T>(table: Readonly<Record<string, T>>, word: unknown): T {
  const row = typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
  if (row === undefined)
    throw new RecipeRefused(`codec must be one of ${Object.keys(table).join(', ')}.`);
  return row;
}

const transfers = { pq: 'smpte2084', hlg: 'arib-std-b67' };

/** HDR to SDR. What the source says of itself may be missing, so it is given. */
export const toSdr = (transfer: Transfer): readonly string[] => [
  `zscale=tin=${rowOf(transfers, transfer)}:pin=bt2020:min=bt2020nc:transfer=linear:npl=100`,
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=hable:desat=0',
  'zscale=transfer=bt709:matrix=bt709:range=tv',
];
