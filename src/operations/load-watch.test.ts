import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../platform/clock.ts';
import {
  createLoadWatch,
  groupBytes,
  memoryUse,
  type LoadWatch,
  type MemoryUse,
} from './load-watch.ts';

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

  test.each([
    [
      'the second version',
      {
        '/proc/self/cgroup': '0::/vitrine\n',
        '/sys/fs/cgroup/vitrine/memory.current': '1000\n',
        '/sys/fs/cgroup/vitrine/memory.stat': 'anon 500\nactive_file 100\ninactive_file 300\n',
      },
    ],
    [
      'the first version, in a container',
      {
        '/proc/self/cgroup': '4:memory:/docker/1\n0::/\n',
        '/sys/fs/cgroup/memory/memory.usage_in_bytes': '1000\n',
        '/sys/fs/cgroup/memory/memory.stat': 'total_active_file 100\ntotal_inactive_file 300\n',
      },
    ],
  ])('reads the memory of a control group without the pages of files: %s', (_name, files) => {
    const read = (file: string) =>
      Object.entries(files).find(([name]) => name === file)?.[1] ?? null;

    expect(groupBytes(read)).toBe(600);
    expect(groupBytes(() => null)).toBeNull();
  });
});
