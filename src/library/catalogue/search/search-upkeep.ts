import type { CallPlugin, Log } from '../../../../kernel/index.ts';
import type { ServedKey } from '../../../../plugin-api/index.ts';
import type { Clock, Undo } from '../../../platform/clock.ts';

export interface SearchUpkeepParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes every search plugin catch up with the library after missed events. */
export type SearchUpkeep = ReturnType<typeof createSearchUpkeep>;

const stepTimeoutMs = 30_000;
const pauseMs = 500;
const soonMs = 2000;
const strideMs = 5000;
/** The limit of steps per run, for a plugin that never says that it is done. */
const mostSteps = 2000;
/** After a failure it is asked again by itself, so often and after so long. */
const againMs = [10_000, 60_000, 5 * 60_000];

/**
 * Events tell a search plugin of changes but are not reliable: they are dropped, they arrive while
 * it is stopped, and they have a deadline of 5 s. So it is also called step by step until it says
 * that it is done. A step may fail on a busy machine, and no event may follow: it is tried again.
 */
export function createSearchUpkeep(parts: SearchUpkeepParts) {
  const { call, providers, clock, log } = parts;
  let forgetTimer: Undo = () => undefined;
  let forgetAgain: Undo = () => undefined;
  let failures = 0;
  let soonSince: number | null = null;
  let state: 'idle' | 'busy' | 'woken' | 'stopped' = 'idle';

  async function catchUp(pluginId: string): Promise<void> {
    for (let step = 0; step < mostSteps && state !== 'stopped'; step++) {
      const answer = await call(pluginId, 'search.index', {}, { timeoutMs: stepTimeoutMs });
      if (asSearchProgress(answer).done) return;
      await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
    }
  }

  async function run(): Promise<void> {
    let hasFailed = false;
    for (const pluginId of providers('search')) {
      await catchUp(pluginId).catch((error: unknown) => {
        if (state === 'stopped') return;
        hasFailed = true;
        log.warn({ pluginId, err: error }, 'A search plugin did not catch up with the library.');
      });
    }
    if (!hasFailed) failures = 0;
    if (state === 'woken') start();
    else if (state === 'busy') {
      state = 'idle';
      if (hasFailed) again();
    }
  }

  function again(): void {
    const waitMs = againMs[failures];
    failures += 1;
    if (waitMs !== undefined) forgetAgain = clock.after(waitMs, start);
  }

  function start(): void {
    forgetAgain();
    state = 'busy';
    void run();
  }

  /** A search plugin may be behind. Returns at once. */
  function wake(): void {
    if (state === 'idle') {
      failures = 0;
      start();
    } else if (state === 'busy') state = 'woken';
  }

  return {
    wake,
    /**
     * The same after two quiet seconds, or every five seconds while calls keep coming: for scans and
     * ingests, which report thousands of changes.
     */
    wakeSoon: (): void => {
      if (state === 'stopped') return;
      forgetTimer();
      soonSince ??= clock.now();
      const left = soonSince + strideMs - clock.now();
      forgetTimer = clock.after(Math.max(0, Math.min(soonMs, left)), () => {
        soonSince = null;
        wake();
      });
    },
    /** Stops further calls. */
    stop: (): void => {
      forgetTimer();
      forgetAgain();
      state = 'stopped';
    },
  };
}

/** What a search plugin answers; an answer of another shape ends the run. */
export function asSearchProgress(answer: unknown): {
  readonly indexed: number;
  readonly done: boolean;
} {
  if (typeof answer !== 'object' || answer === null) return { indexed: 0, done: true };
  const indexed = 'indexed' in answer && typeof answer.indexed === 'number' ? answer.indexed : 0;
  return { indexed, done: !('done' in answer) || answer.done !== false };
}
