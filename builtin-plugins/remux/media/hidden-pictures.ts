/**
 * Pictures that are decoded and not shown: those before an edit, and those behind one. Players of
 * fragments drop what has a time before 0, and all up to the next key picture with it. So hidden
 * pictures follow each other within about a millisecond, at the beginning or at the end of what is
 * shown, and the first shown one is that much late.
 */
import type { Packets } from './packets.ts';

/** Seconds that all hidden pictures may take together; each needs a microsecond at least. */
const mostSeconds = 0.001;
const leastEach = 0.000001;

/** By what the ticks of a track are divided, so that so many pictures of a tick each pass unseen. */
export function finerScale(hidden: number, scale: number): number {
  if (hidden === 0) return 1;
  return Math.ceil(hidden / (scale * Math.max(mostSeconds, hidden * leastEach)));
}

/** The pictures with those outside of a stretch at its ends, in the order in which they were shown. */
export function withHidden(packets: Packets, from: number, to: number): Packets {
  const ordered = packets.times.toSorted((one, other) => one - other);
  const early = ordered.filter((time) => time < from);
  const late = ordered.filter((time) => time >= to);
  if (early.length + late.length === 0) return packets;
  const [begin, end] = [from + early.length, to - late.length];
  const place = new Map([
    ...early.map((time, at) => [time, from + at] as const),
    ...late.map((time, at) => [time, end + at] as const),
  ]);
  const times = packets.times.map(
    (time) => place.get(time) ?? Math.min(Math.max(time, begin), Math.max(begin, end - 1)),
  );
  return { ...packets, times };
}
