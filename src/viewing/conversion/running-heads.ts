/** The processes that convert now. One that no viewer asks anything for a while is ended. */
import type { Clock, Undo } from '../../platform/clock.ts';
import type { CagedProgram } from './cage.ts';
import type { DescribedWork } from './described-work.ts';
import { mostSegments } from './head-span.ts';
import { startHead, type Head } from './head.ts';
import type { PartStore } from './part-store.ts';
import type { HangLimits } from './watched-output.ts';

/** What they need. */
export interface RunningHeadsParts {
  readonly store: PartStore;
  /** Starts the process for some segments of a work. */
  readonly start: (work: DescribedWork, span: HeadSpan) => Promise<CagedProgram>;
  /** Milliseconds without a byte until a process counts as hanging. */
  readonly hangs: HangLimits;
  /** The first segment of a head is there, so many milliseconds after it began. */
  readonly firstSegment: (track: DescribedWork['kind'], ms: number) => void;
  /** A process begins, for segments up to `until`; the undo is called at its end. */
  readonly begins?: (work: DescribedWork, from: number, until: number) => Undo;
  /** A head ended, with those that still run. */
  readonly ended: (head: Head, work: DescribedWork, others: readonly DescribedWork[]) => void;
  readonly clock: Clock;
}

/** What one process converts. */
export interface HeadSpan {
  readonly from: number;
  /** The first segment that it does not make. */
  readonly until: number;
  /** Microseconds that it reads before, at least. */
  readonly lead: number;
}

/** A head, with its own number of a segment. */
export interface JoinedHead {
  readonly head: Head;
  readonly at: number;
}

/** The processes that convert now. */
export type RunningHeads = ReturnType<typeof createRunningHeads>;

/** A viewer at a segment. */
export interface JoinedViewer {
  readonly sessionId: string;
  readonly at: number;
}

/** Milliseconds until a head that no viewer asks anything is ended. */
const idleMs = 30_000;
const sweepMs = 5000;
/** Microseconds of film that a viewer waits for a head to arrive; else another one starts. */
const worthWaiting = { video: 10_000_000, audio: 60_000_000 };

export function createRunningHeads(parts: RunningHeadsParts) {
  const { store, start, hangs, firstSegment, ended, clock } = parts;
  const heads = new Map<Head, DescribedWork>();
  /** Heads that a viewer left for another one, and that end. */
  const leftFor = new Map<Head, readonly Head[]>();
  let sweep: Undo | null = null;

  /** Ends what nobody has asked anything for a while; it starts again at the next request. */
  function endIdle(): void {
    sweep = null;
    for (const head of heads.keys()) if (clock.now() - head.wantedAt() > idleMs) head.end();
    sweepLater();
  }

  function sweepLater(): void {
    if (heads.size > 0) sweep ??= clock.after(sweepMs, endIdle);
  }

  /**
   * A player that seeks many times in a moment leaves each head before it gave anything. The process of a
   * head starts when those before the last one are gone, so that they do not pile up, and none starts for
   * a head that was left meanwhile.
   */
  async function turnOf(head: Head): Promise<void> {
    const before = leftFor.get(head) ?? [];
    await Promise.all(before.flatMap((one) => leftFor.get(one) ?? []).map(({ ended }) => ended));
  }

  function begin(work: DescribedWork, from: number): Head {
    const until = Math.min(from + mostSegments, work.timeline.starts.length);
    const began = clock.now();
    const head: Head = startHead({
      timeline: work.timeline,
      from,
      until,
      hangs,
      now: clock.now,
      assembler: work.assembler(from, until),
      // The one who begins it says first who was left for it.
      turn: () => Promise.resolve().then(() => turnOf(head)),
      start: (lead) => start(work, { from, until, lead }),
      keepHead: (bytes) => store.write(work.initKey, bytes),
      keep: async ({ n, bytes }) => {
        if (n === from) firstSegment(work.kind, clock.now() - began);
        await store.write(work.partKey(n), bytes);
      },
      isKept: (n) => store.has(work.partKey(n)).catch(() => false),
    });
    heads.set(head, work);
    const over = parts.begins?.(work, from, until);
    sweepLater();
    void head.ended.then(() => {
      over?.();
      heads.delete(head);
      leftFor.delete(head);
      ended(head, work, [...heads.values()]);
      if (heads.size > 0) return;
      sweep?.();
      sweep = null;
    });
    return head;
  }

  function leave(old: Head, sessionId: string, head: Head): void {
    old.leave(sessionId);
    if (old.viewers.size === 0) leftFor.set(head, [...(leftFor.get(head) ?? []), old]);
  }

  function find(work: DescribedWork, n: number): JoinedHead | undefined {
    const wanted = work.timeline.starts[n] ?? 0;
    for (const [head, { key }] of heads) {
      const { starts } = head.timeline;
      const at = starts[n] === wanted ? n : starts.indexOf(wanted);
      if (key !== work.key || at < head.next() || at >= head.until) continue;
      if (wanted - (starts[head.next()] ?? 0) <= worthWaiting[work.kind]) return { head, at };
    }
    return undefined;
  }

  return {
    /** One that makes segment `n` soon. */
    find,
    /** One that makes segment `n` soon; else a new one. */
    join: (work: DescribedWork, n: number): JoinedHead =>
      find(work, n) ?? { head: begin(work, n), at: n },
    /** One that makes the init segment of a work, at any of its segments. */
    ofWork: (work: DescribedWork): Head | undefined => {
      for (const [head, { key }] of heads)
        if (key === work.key && head.next() < head.until) return head;
      return undefined;
    },
    /** A viewer waits for a head, and leaves the one that was for them elsewhere in the film. */
    comeTo: (head: Head, work: DescribedWork, { sessionId, at }: JoinedViewer): void => {
      head.want(sessionId, at);
      for (const [other, { kind }] of heads)
        if (other !== head && kind === work.kind && other.viewers.has(sessionId))
          leave(other, sessionId, head);
    },
    all: (): readonly (readonly [Head, DescribedWork])[] => [...heads],
    close: async (): Promise<void> => {
      const running = [...heads.keys()];
      for (const head of running) head.end();
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}
