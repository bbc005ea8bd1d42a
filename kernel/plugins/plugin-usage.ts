/** What runs of a plugin have used, added up. */
import type { SandboxUsage } from '../sandbox/index.ts';

/** Before the first run. */
export const noUsage: SandboxUsage = {
  calls: 0,
  timeouts: 0,
  cpuMs: 0,
  memoryBytes: 0,
  hostCalls: 0,
};

/** Of a run and those before it: what they held in memory is gone. */
export function addRun(before: SandboxUsage, run: SandboxUsage): SandboxUsage {
  return { ...addBeside(before, run), memoryBytes: run.memoryBytes };
}

/** Of two that run beside each other. */
export function addBeside(one: SandboxUsage, other: SandboxUsage): SandboxUsage {
  return {
    calls: one.calls + other.calls,
    timeouts: one.timeouts + other.timeouts,
    cpuMs: one.cpuMs + other.cpuMs,
    memoryBytes: one.memoryBytes + other.memoryBytes,
    hostCalls: one.hostCalls + other.hostCalls,
  };
}
