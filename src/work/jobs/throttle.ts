import type { Clock, Undo } from '../../platform/clock.ts';

/** Passes on the newest of many values, at most one per interval. */
export interface Throttle<Value> {
  readonly offer: (value: Value) => void;
  /** Drops a value that was not passed on yet. */
  readonly stop: () => void;
}

/** The first value is passed on at once; then the newest one at the end of each interval. */
export function createThrottle<Value>(
  clock: Clock,
  intervalMs: number,
  send: (value: Value) => void,
): Throttle<Value> {
  let newest: { readonly value: Value } | null = null;
  let stopTimer: Undo | null = null;

  function endOfInterval(): void {
    stopTimer = null;
    if (newest) offer(newest.value);
  }

  function offer(value: Value): void {
    if (stopTimer) {
      newest = { value };
      return;
    }
    newest = null;
    stopTimer = clock.after(intervalMs, endOfInterval);
    send(value);
  }

  return {
    offer,
    stop: () => {
      stopTimer?.();
      newest = null;
    },
  };
}
