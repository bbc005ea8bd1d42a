/**
 * A head: one process that converts one track from a segment on, over at most a hundred of them. All
 * viewers of the same conversion wait for the same head. It keeps nothing in memory: a segment goes to
 * the store and to those who wait. While the furthest viewer has enough, its output is not read, so
 * the process waits and uses no processor.
 */
import type { Assembler, MadePart } from './assembler.ts';
import type { CagedProgram } from './cage.ts';
import { fragmentsOf } from './fragments.ts';
import { createPace } from './pace.ts';
import { endOf, type Timeline } from './timeline.ts';
import { watchedOutput, type HangLimits } from './watched-output.ts';

/** A conversion that ended before it made what was waited for. */
export class HeadEnded extends Error {
  /** `left`: nobody needed it. `failed`: the transcoder failed. `full`: the disk took nothing. */
  readonly reason: 'left' | 'failed' | 'full';
  constructor(reason: HeadEnded['reason'], said: string, cause?: unknown) {
    super(said, { cause });
    this.reason = reason;
  }
}

export interface HeadParts {
  readonly timeline: Timeline;
  readonly from: number;
  /** The first segment that it does not make. */
  readonly until: number;
  readonly assembler: Assembler;
  /** Resolves when the process may start. */
  readonly turn: () => Promise<void>;
  /** Starts the process, which reads so many microseconds before the first picture, at least. */
  readonly start: (lead: number) => Promise<CagedProgram>;
  readonly keepHead: (bytes: Buffer) => Promise<void>;
  readonly keep: (part: MadePart) => Promise<void>;
  readonly isKept: (n: number) => Promise<boolean>;
  readonly now: () => number;
  /** When the process counts as hanging. */
  readonly hangs: HangLimits;
}

/** A head that runs. */
export interface Head {
  readonly timeline: Timeline;
  readonly until: number;
  /** The segment that is made now. */
  readonly next: () => number;
  /** Unix milliseconds. */
  readonly wantedAt: () => number;
  readonly viewers: ReadonlySet<string>;
  /** Seconds of film in a second of work; `null` = it has not worked for ten seconds yet. */
  readonly rate: () => number | null;
  /** The same over all of its work; `null` = too little to say. */
  readonly wholeRate: () => number | null;
  /** The bytes of `ftyp` and `moov`. Rejects with `HeadEnded`. */
  readonly head: Promise<Buffer>;
  /** Resolves when segment `n` is made. Rejects with `HeadEnded`. */
  readonly wait: (n: number) => Promise<Buffer>;
  /** A viewer is at segment `n`. */
  readonly want: (sessionId: string, n: number) => void;
  /** Without any viewer it ends. */
  readonly leave: (sessionId: string) => void;
  readonly end: () => void;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

/** Microseconds of film that a head is at most ahead of the furthest viewer. */
const mostAhead = 60_000_000;

/**
 * Microseconds that are read before the first segment, in turn. A reader that does not find the keyframe
 * before a place, and a picture that ended before it, give nothing at first.
 */
const leads = [0, 15_000_000, 120_000_000] as const;
const longestLead = Math.max(...leads);
/** In place of the time of a first fragment. */
const nothing = Number.NEGATIVE_INFINITY;

interface Waiting<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: HeadEnded) => void;
}

function waiting<T>(): Waiting<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // A head may end while nobody waits.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Starts it at once. */
export function startHead(parts: HeadParts): Head {
  const { timeline, from, until, assembler, now } = parts;
  const viewers = new Set<string>();
  const expected = new Map<number, Waiting<Buffer>>();
  const beginning = waiting<Buffer>();
  const pace = createPace(now);
  let program: CagedProgram | null = null;
  let next = from;
  let furthest = from;
  let wantedAt = now();
  let ending: HeadEnded | null = null;
  let goOn: (() => void) | null = null;

  function end(why: HeadEnded): void {
    ending ??= why;
    program?.kill();
    goOn?.();
  }

  async function deliver(part: MadePart): Promise<void> {
    await stored(parts.keep(part));
    next = part.n + 1;
    pace.made(endOf(timeline, part.n) - (timeline.starts[part.n] ?? 0));
    expected.get(part.n)?.resolve(part.bytes);
    expected.delete(part.n);
    if (expected.size === 0 && next < until && (await parts.isKept(next)))
      end(new HeadEnded('left', 'The rest is there.'));
    while (ending === null && endOf(timeline, part.n) - endOf(timeline, furthest) > mostAhead) {
      pace.rest();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    pace.work();
  }

  /** Gives the time of the first fragment where the process missed the beginning. */
  async function convert(lead: number, known: number | null): Promise<number | null> {
    await parts.turn();
    if (ending !== null) return null;
    program = await parts.start(lead);
    if (ending !== null) program.kill();
    const output = watchedOutput(program, parts.hangs);
    let isFirst = true;
    for await (const found of fragmentsOf(output)) {
      if (found.kind === 'head') {
        await stored(parts.keepHead(found.bytes));
        beginning.resolve(found.bytes);
      } else {
        const isMissed = isFirst && found.time !== known && assembler.misses(found);
        if (isMissed && lead < longestLead) return found.time;
        isFirst = false;
        for (const part of assembler.add(found)) await deliver(part);
      }
      if (ending !== null || next >= until) return null;
    }
    const { code, said } = await program.ended;
    if (code !== 0) throw new HeadEnded('failed', said || 'The transcoder was killed.');
    if (isFirst && lead < longestLead && assembler.misses(null)) return nothing;
    for (const part of assembler.end()) if (ending === null) await deliver(part);
    return null;
  }

  /** Reads from further before where the process misses the beginning, as long as that helps. */
  async function convertFrom(): Promise<void> {
    let first: number | null = null;
    for (const lead of leads) {
      first = await convert(lead, first);
      if (first === null || ending !== null) return;
      program?.kill();
      program?.output.destroy();
      await program?.ended;
    }
  }

  async function run(): Promise<void> {
    try {
      await convertFrom();
    } catch (error) {
      ending ??= error instanceof HeadEnded ? error : new HeadEnded('failed', String(error), error);
    }
    const why = ending ?? new HeadEnded('failed', 'The transcoder ended early.');
    ending = why;
    program?.kill();
    // What was not read would keep the pipe open.
    program?.output.destroy();
    await program?.ended;
    beginning.reject(why);
    for (const one of expected.values()) one.reject(why);
    expected.clear();
  }

  const ended = run();
  return {
    timeline,
    until,
    viewers,
    ended,
    rate: pace.rate,
    wholeRate: pace.whole,
    next: () => (ending === null ? next : until),
    wantedAt: () => wantedAt,
    head: beginning.promise,
    wait: (n) => {
      if (ending !== null) return Promise.reject(ending);
      const known = expected.get(n) ?? waiting<Buffer>();
      expected.set(n, known);
      return known.promise;
    },
    want: (sessionId, n) => {
      viewers.add(sessionId);
      wantedAt = now();
      furthest = Math.max(furthest, n);
      goOn?.();
    },
    leave: (sessionId) => {
      viewers.delete(sessionId);
      if (viewers.size === 0) end(new HeadEnded('left', 'No session needs it.'));
    },
    end: () => end(new HeadEnded('left', 'No session needs it.')),
  };
}

/** A disk that takes nothing ends the head, and says so. */
const stored = (writing: Promise<void>): Promise<void> =>
  writing.catch((error: unknown) => {
    throw new HeadEnded('full', String(error), error);
  });
