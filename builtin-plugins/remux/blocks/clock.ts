/**
 * Times of packets in ticks of their segments. Containers round times, mostly to milliseconds, but
 * packets of sound have a fixed length: a time near the grid of that length is put on it, so that
 * segments join without gaps.
 */

/** What a clock goes by. */
export interface ClockInput {
  /** Seconds of a tick of the file. */
  readonly fileTick: number;
  /** Ticks per second of the segments. */
  readonly scale: number;
  /** Ticks of a packet in segments, if all have as many. */
  readonly samples: number | undefined;
  /** Seconds that are subtracted from all times. */
  readonly start: number;
  /** Ticks of the file of the first packet. */
  readonly first: number;
}

const rounding = 0.0011;

/** Converts ticks of the file. */
export function createClock(input: ClockInput): (ticks: number) => number {
  const { fileTick, scale, samples, start, first } = input;
  const plain = (ticks: number): number => (ticks * fileTick - start) * scale;
  if (samples === undefined) return (ticks) => Math.round(plain(ticks));
  const begins = Math.round(plain(first));
  return (ticks) => {
    const time = plain(ticks);
    const onGrid = begins + Math.round((time - begins) / samples) * samples;
    return Math.abs(onGrid - time) <= rounding * scale ? onGrid : Math.round(time);
  };
}
