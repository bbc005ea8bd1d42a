/**
 * Makes segments of fragments, by their times alone: a fragment belongs to the segment in which it
 * starts. Two processes that convert the same film from different places give the same segments.
 */
import type { FoundFragment } from './fragments.ts';
import { packedSegment } from './packed-segment.ts';
import { segmentAt, type Timeline } from './timeline.ts';

/** A whole segment. */
export interface MadePart {
  readonly n: number;
  readonly bytes: Buffer;
}

/** Which segments of a film one process makes. */
export interface Span {
  readonly timeline: Timeline;
  readonly from: number;
  /** The first segment that is not made. */
  readonly until: number;
}

/** Collects the fragments of one process. */
export type Assembler = ReturnType<typeof createAssembler>;

/** How a kind of track is put together. */
interface Kind {
  /** Microseconds that decide about the segment. */
  readonly timeOf: (fragment: FoundFragment) => number;
  /** Whether fragments before the first segment are only there to lead in. */
  readonly hasLead: boolean;
  /** Microseconds that the first fragment may be late; `null` = any. */
  readonly mostLate: number | null;
  readonly join: (n: number, fragments: readonly FoundFragment[]) => Buffer;
}

function createAssembler({ timeline, from, until }: Span, kind: Kind) {
  let next = from;
  let collected: FoundFragment[] = [];

  function finish(n: number): readonly MadePart[] {
    const parts: MadePart[] = [];
    for (; next < Math.min(n, until); next += 1)
      parts.push({ n: next, bytes: kind.join(next, collected.splice(0)) });
    return parts;
  }

  return {
    /** The segments that are whole, now that this fragment is there. */
    add: (fragment: FoundFragment): readonly MadePart[] => {
      const time = kind.timeOf(fragment);
      if (kind.hasLead && time < (timeline.starts[from] ?? 0)) return [];
      const n = segmentAt(timeline, time, next);
      const whole = finish(n);
      if (n < until) collected = [...collected, fragment];
      return whole;
    },
    /** Whether a process that gives this first (`null` = nothing) has missed the beginning. */
    misses: (first: FoundFragment | null): boolean =>
      from > 0 &&
      kind.mostLate !== null &&
      (first === null || kind.timeOf(first) - (timeline.starts[from] ?? 0) > kind.mostLate),
    /** The rest: the process has ended well. */
    end: (): readonly MadePart[] => finish(until),
  };
}

/** Ticks a second of converted pictures. */
export const pictureRate = 90_000;
/** A frame may start so many microseconds before its segment: times of containers are rounded. */
export const pictureSlack = 1500;

/** Players wait for a picture that begins later. */
const mostPictureGap = 250_000;

/** Segments of a picture: the fragments as they are. */
export const pictureAssembler = (span: Span): Assembler =>
  createAssembler(span, {
    timeOf: ({ time }) => (time * 1_000_000) / pictureRate + pictureSlack,
    hasLead: false,
    mostLate: mostPictureGap,
    join: (n, fragments) =>
      fragments.length > 0
        ? Buffer.concat(fragments.map(({ bytes }) => bytes))
        : packedSegment({
            sequence: n + 1,
            time: startIn(span, n, pictureRate),
            frame: 0,
            packets: [],
          }),
  });

/** Segments of sound: one fragment of all packets. A packet belongs where most of it is heard. */
export const soundAssembler = (span: Span, rate: number, frame: number): Assembler =>
  createAssembler(span, {
    timeOf: ({ time }) => ((time + frame / 2) * 1_000_000) / rate,
    hasLead: true,
    mostLate: null,
    join: (n, fragments) =>
      packedSegment({
        sequence: n + 1,
        time: Math.max(0, fragments[0]?.time ?? startIn(span, n, rate)),
        frame,
        packets: fragments.map(({ bytes, packetsAt }) => bytes.subarray(packetsAt)),
      }),
  });

const startIn = ({ timeline }: Span, n: number, rate: number): number =>
  Math.round(((timeline.starts[n] ?? 0) * rate) / 1_000_000);
