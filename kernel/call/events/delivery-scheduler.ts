/**
 * Limits how many deliveries begin in one turn of the event loop. A burst of events to many plugins
 * would block the loop for many milliseconds; in turns, requests are answered in between.
 */
export type DeliveryScheduler = ReturnType<typeof createDeliveryScheduler>;

/** About half a millisecond of work. */
const usuallyPerTurn = 64;

/** Runs a function in the next turn. */
export type NextTurn = (run: () => void) => void;

/** Creates the scheduler that all mailboxes of a bus share. */
export function createDeliveryScheduler(
  nextTurn: NextTurn = setImmediate,
  perTurn: number = usuallyPerTurn,
) {
  let left = perTurn;
  let isPlanned = false;
  let waiting: (() => void)[] = [];

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    nextTurn(begin);
  }

  function begin(): void {
    isPlanned = false;
    left = perTurn;
    const due = waiting;
    waiting = [];
    let next = 0;
    while (next < due.length && left > 0) due[next++]?.();
    waiting = [...due.slice(next), ...waiting];
    if (waiting.length > 0) plan();
  }

  /** Whether one more delivery may begin in this turn. */
  function take(): boolean {
    if (left === 0) return false;
    left -= 1;
    plan();
    return true;
  }

  /** Continues in the next turn, after those that already wait. */
  function wait(goOn: () => void): void {
    waiting.push(goOn);
    plan();
  }

  return { take, wait };
}
