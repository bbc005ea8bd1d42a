import { describeFailure } from './failure.ts';
import type { Outbox } from './outbox.ts';
import {
  apply,
  floor,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  mapSize,
  max,
  min,
  now,
  PlainMap,
  PlainTypeError,
  toNumber,
} from './primordials.ts';

interface Timer {
  readonly run: (...args: unknown[]) => unknown;
  readonly args: unknown[];
  /** Milliseconds between two runs; 0 = only once. */
  readonly everyMs: number;
  at: number;
}

/** `setTimeout` and related functions. A timer ends at the latest with the calls in progress. */
export interface Timers {
  readonly setTimeout: (run: unknown, ms?: unknown, ...args: unknown[]) => number;
  readonly setInterval: (run: unknown, ms?: unknown, ...args: unknown[]) => number;
  readonly clear: (id?: unknown) => void;
  readonly runDue: () => void;
  readonly forget: () => void;
}

const timerLimit = 1000;
const longestMs = 2 ** 31 - 1;

export function createTimers(parts: {
  readonly outbox: Outbox;
  readonly isCallOpen: () => boolean;
  readonly onError: (message: string) => void;
}): Timers {
  let timers = new PlainMap<number, Timer>();
  let nextId = 1;
  /** When the host was asked to wake the isolate for timers; Infinity = not at all. */
  let wakeAt = Infinity;

  function add(run: unknown, ms: unknown, args: unknown[], repeats: boolean): number {
    if (typeof run !== 'function')
      throw new PlainTypeError('The first argument must be a function.');
    const id = nextId++;
    if (!parts.isCallOpen()) return id;
    if (mapSize(timers) >= timerLimit) throw new PlainTypeError('More than 1000 timers are set.');
    // At least 1 ms, as in Node.
    const delay = floor(min(longestMs, max(1, toNumber(ms) || 0)));
    const timer = {
      run: run as Timer['run'],
      args,
      everyMs: repeats ? delay : 0,
      at: now() + delay,
    };
    mapSet(timers, id, timer);
    askForWake(timer.at);
    return id;
  }

  function askForWake(at: number): void {
    if (at >= wakeAt) return;
    wakeAt = at;
    parts.outbox.post(`{"kind":"wake","ms":${max(0, at - now())}}`);
  }

  /** The due timer that was set for the earliest moment. */
  function nextDue(before: number): number | undefined {
    let earliest = Infinity;
    let dueId: number | undefined;
    mapForEach(timers, (timer, id) => {
      if (timer.at > before || timer.at >= earliest) return;
      earliest = timer.at;
      dueId = id;
    });
    return dueId;
  }

  function runOne(id: number): void {
    const timer = mapGet(timers, id);
    if (timer === undefined) return;
    if (timer.everyMs === 0) mapDelete(timers, id);
    else timer.at = now() + timer.everyMs;
    try {
      apply(timer.run, undefined, timer.args);
    } catch (thrown) {
      parts.onError(describeFailure(thrown).message);
    }
  }

  return {
    setTimeout: (run, ms, ...args) => add(run, ms, args, false),
    setInterval: (run, ms, ...args) => add(run, ms, args, true),
    clear: (id) => {
      if (typeof id === 'number') mapDelete(timers, id);
    },
    runDue: () => {
      wakeAt = Infinity;
      // Timers that these set wait for the next wake.
      const before = now();
      for (let id = nextDue(before); id !== undefined; id = nextDue(before)) runOne(id);
      let earliest = Infinity;
      mapForEach(timers, (timer) => {
        earliest = min(earliest, timer.at);
      });
      askForWake(earliest);
    },
    forget: () => {
      timers = new PlainMap<number, Timer>();
      wakeAt = Infinity;
    },
  };
}
