/** Limits a guest to its long-term share of the processor by pausing it. */
export type CpuThrottle = ReturnType<typeof createCpuThrottle>;

/** `cpuMsPerSecond` 0 = no limit. Unused time is saved for up to `burstSeconds`. */
export function createCpuThrottle(cpuMsPerSecond: number, clock: () => number, burstSeconds = 10) {
  let saved = cpuMsPerSecond * burstSeconds;
  let countedAt = clock();
  let timer: NodeJS.Timeout | undefined;
  let pausedMs = 0;
  let pausedAt = 0;
  return {
    spend: (ms: number): void => {
      saved -= ms;
    },
    /** How long the guest must pause; 0 = not at all. */
    pauseMs: (): number => {
      if (cpuMsPerSecond <= 0) return 0;
      const at = clock();
      saved = Math.min(
        cpuMsPerSecond * burstSeconds,
        saved + ((at - countedAt) * cpuMsPerSecond) / 1000,
      );
      countedAt = at;
      return saved >= 0 ? 0 : Math.ceil((-saved / cpuMsPerSecond) * 1000);
    },
    /** Runs a function after that pause, once. */
    later: (ms: number, run: () => void): void => {
      if (timer !== undefined) return;
      pausedAt = clock();
      timer = setTimeout(() => {
        timer = undefined;
        pausedMs += clock() - pausedAt;
        run();
      }, ms);
    },
    /** The sum of its pauses so far. */
    pausedMs: (): number => (timer === undefined ? pausedMs : pausedMs + clock() - pausedAt),
    stop: (): void => clearTimeout(timer),
  };
}
