/**
 * Overload detection. It checks four times a second, and reports overload when the event loop is a
 * second late several times in a row, or when memory is nearly used up. Further requests would be
 * answered late, or end the server.
 */
import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { Clock, Undo } from '../platform/clock.ts';
import type { FoundProblem, ProblemCode } from '../platform/problems/index.ts';
import { say } from '../platform/text.ts';

/** The reason of an overload. */
export type Excess = 'memory' | 'delay';

/** The state of the server. */
export type LoadWatch = ReturnType<typeof createLoadWatch>;

/** Used shares, 0 to 1. */
export interface MemoryUse {
  readonly heap: number;
  /** Of the memory that the system allows the process; 0 without a limit. */
  readonly resident: number;
}

export interface LoadWatchParts {
  readonly clock: Clock;
  readonly memory: () => MemoryUse;
  /** Called when an overload begins and ends. */
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
}

const everyMs = 250;
const lateMs = 1000;
/** A longer delay means that the machine slept, or that its clock was set. */
const sleptMs = 20_000;
const mostHeap = 0.9;
const mostResident = 0.95;
/** One long pause does not count; this many checks in a row decide, in both directions. */
const looksToDecide = 3;

/** Starts watching. */
export function createLoadWatch({ clock, memory, report }: LoadWatchParts) {
  let stopTimer: Undo;
  let decided: Excess | null = null;
  let looks = 0;
  let seen: Excess | null = null;
  plan();

  function plan(): void {
    const due = clock.now() + everyMs;
    stopTimer = clock.after(everyMs, () => {
      look(clock.now() - due);
      plan();
    });
  }

  function look(lagMs: number): void {
    const now = excessOf(lagMs, memory());
    looks = now === seen ? looks + 1 : 1;
    seen = now;
    if (looks < looksToDecide || now === decided) return;
    report(['overloaded'], now === null ? [] : [overloaded(now, lagMs)]);
    decided = now;
  }

  return {
    /** `null` = no overload. */
    excess: (): Excess | null => decided,
    stop: (): void => stopTimer(),
  };
}

const overloaded = (why: Excess, lagMs: number): FoundProblem => ({
  code: 'overloaded',
  subject: { type: 'server', id: why },
  message: say('load.serverOverloadedRefusesRequests'),
  detail:
    why === 'memory'
      ? say('load.memoryNearlyUsedUp')
      : say('load.doesWorkMsLate', { ms: Math.round(lagMs) }),
  action: say('load.giveMachineMoreMemoryProcessors'),
});

function excessOf(lagMs: number, { heap, resident }: MemoryUse): Excess | null {
  if (heap > mostHeap || resident > mostResident) return 'memory';
  return lagMs > lateMs && lagMs < sleptMs ? 'delay' : null;
}

/**
 * The memory of this process and of the plugin processes, as shares of their limits. In a control
 * group its own figure counts, without the pages of files, which the system takes back when it needs
 * them: processes share the pages of their programs, so their sum would be too high.
 */
export function memoryUse(othersBytes: () => number): MemoryUse {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  const constrained = process.constrainedMemory();
  // Without a limit, systems report an impossibly high number.
  const isLimited = constrained > 0 && constrained < 2 ** 50;
  const bytes = (): number => groupBytes() ?? process.memoryUsage.rss() + othersBytes();
  return { heap: used / limit, resident: isLimited ? bytes() / constrained : 0 };
}

/** Where the system may keep the figures of a control group: its second version, and its first. */
const figures = [
  { at: /^0::(.*)$/m, root: '/sys/fs/cgroup', bytes: 'memory.current', prefix: '' },
  {
    at: /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m,
    root: '/sys/fs/cgroup/memory',
    bytes: 'memory.usage_in_bytes',
    prefix: 'total_',
  },
] as const;

/** What the control group of this process uses, without the pages of files; `null` = unknown. */
export function groupBytes(read = readText): number | null {
  const groups = read('/proc/self/cgroup') ?? '';
  for (const { at, root, bytes, prefix } of figures) {
    const [, own] = at.exec(groups) ?? [];
    if (own === undefined) continue;
    // In a container, the root is often its own group.
    for (const folder of [`${root}${own === '/' ? '' : own}`, root]) {
      const used = Number(read(`${folder}/${bytes}`) ?? Number.NaN);
      const stat = read(`${folder}/memory.stat`);
      if (Number.isNaN(used) || stat === null) continue;
      const of = (name: string) =>
        Number(new RegExp(`^${prefix}${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
      return used - of('active_file') - of('inactive_file');
    }
  }
  return null;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
