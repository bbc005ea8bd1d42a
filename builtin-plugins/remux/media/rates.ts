/** Bits per second of a track by its segments. */
import type { TrackRates } from './open-media.ts';

/** What is known of the segments. */
export interface SegmentSizes {
  readonly cuts: Float64Array;
  readonly duration: number;
  /** Bytes of a segment, and of the picture with which it begins. */
  readonly bytesFrom: (segment: number) => readonly [bytes: number, keyBytes: number];
}

/** Shorter segments, as at the end of a film, say nothing about the rate. */
const leastSeconds = 0.5;

/** The rates over all segments. */
export function ratesOf({ cuts, duration, bytesFrom }: SegmentSizes): TrackRates {
  let [largest, all, keys] = [0, 0, 0];
  cuts.forEach((start, segment) => {
    const seconds = (cuts[segment + 1] ?? duration) - start;
    const [bytes, keyBytes] = bytesFrom(segment);
    all += bytes;
    keys += keyBytes;
    if (seconds >= leastSeconds || cuts.length === 1) {
      largest = Math.max(largest, bytes / Math.max(seconds, leastSeconds));
    }
  });
  if (!(duration > 0) || all === 0) return {};
  const bits = (bytes: number): number => Math.ceil(bytes * 8);
  return {
    largest: bits(Math.max(largest, all / duration)),
    average: bits(all / duration),
    keys: bits(keys / duration),
  };
}
