import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../platform/clock.ts';
import { createLoadWatch, memoryUse, type LoadWatch, type MemoryUse } from './load-watch.ts';

let memory: MemoryUse;
let nowMs: number;
let due: { readonly at: number; readonly run: () => void };
let watch: LoadWatch;
let reported: readonly string[];

beforeEach(() => {
  memory = { heap: 0.3, resident: 0.3 };
  nowMs = 0;
  const clock: Clock = {
    now: () => nowMs,
    after: (delayMs, run) => {
      due = { at: nowMs + delayMs, run };
      return () => undefined;
    },
  };
  watch = createLoadWatch({
    clock,
    memory: () => memory,
    report: (_codes, found) => void (reported = found.map(({ code }) => code)),
  });
});

/** So many looks, each of which comes so late. */
function look(times: number, lateMs = 0): void {
  for (let time = 0; time < times; time += 1) {
    nowMs = due.at + lateMs;
    due.run();
  }
}

describe('the overload watch', () => {
  test('accepts requests while the server keeps up', () => {
    look(20, 300);
    expect(watch.excess()).toBeNull();
  });

  test('reports overload when the event loop is late several times in a row, until it keeps up again', () => {
    look(3, 1500);
    expect(watch.excess()).toBe('delay');
    expect(reported).toEqual(['overloaded']);
    look(2);
    expect(watch.excess()).toBe('delay');
    look(1);
    expect([watch.excess(), reported]).toEqual([null, []]);
  });

  test('does not treat one long pause as overload', () => {
    look(1, 10_000);
    look(1);
    look(2, 10_000);
    look(1);
    expect(watch.excess()).toBeNull();
  });

  test('does not treat repeated sleep of the machine as overload', () => {
    look(5, 60_000);
    expect(watch.excess()).toBeNull();
  });

  test.each([
    { heap: 0.95, resident: 0 },
    { heap: 0.3, resident: 0.97 },
  ])('reports overload when memory is nearly used up: %j', (use) => {
    memory = use;
    look(3);
    expect(watch.excess()).toBe('memory');
  });

  test('reads the memory of this process as shares of its limits', () => {
    const { heap, resident } = memoryUse(() => 0);
    expect(heap).toBeGreaterThan(0);
    expect(heap).toBeLessThan(1);
    expect(resident).toBeGreaterThanOrEqual(0);
  });
});
