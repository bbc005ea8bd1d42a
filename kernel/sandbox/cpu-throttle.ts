/** Limits a guest to its long-term share of the processor by pausing it. */
export interface CpuThrottle {
  readonly spend: (cpuMs: number) => void;
  /** How long the guest must pause; 0 = not at all. */
  readonly pauseMs: () => number;
  /** Runs a function after that pause, once. */
  readonly later: (ms: number, run: () => void) => void;
  /** The sum of its pauses so far. */
  readonly pausedMs: () => number;
  readonly stop: () => void;
}

/** `cpuMsPerSecond` 0 = no limit. Unused time is saved for up to `burstSeconds`. */
export function createCpuThrottle(
  cpuMsPerSecond: number,
  clock: () => number,
  burstSeconds = 10,
): CpuThrottle {
  let saved = cpuMsPerSecond * burstSeconds;
  let countedAt = clock();
  let timer: NodeJS.Timeout | undefined;
  let pausedMs = 0;
  let pausedAt = 0;
  return {
    spend: (ms) => {
      saved -= ms;
    },
    pauseMs: () => {
      if (cpuMsPerSecond <= 0) return 0;
      const at = clock();
      saved = Math.min(
        cpuMsPerSecond * burstSeconds,
        saved + ((at - countedAt) * cpuMsPerSecond) / 1000,
      );
      countedAt = at;
      return saved >= 0 ? 0 : Math.ceil((-saved / cpuMsPerSecond) * 1000);
    },
    later: (ms, run) => {
      if (timer !== undefined) return;
      pausedAt = clock();
      timer = setTimeout(() => {
        timer = undefined;
        pausedMs += clock() - pausedAt;
        run();
      }, ms);
    },
    pausedMs: () => (timer === undefined ? pausedMs : pausedMs + clock() - pausedAt),
    stop: () => clearTimeout(timer),
  };
}
