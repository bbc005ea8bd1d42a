/** The sum of what runs of a plugin have used. */
import type { SandboxUsage } from '../sandbox/index.ts';

/** Before the first run. */
export const noUsage: SandboxUsage = {
  calls: 0,
  timeouts: 0,
  cpuMs: 0,
  pausedMs: 0,
  memoryBytes: 0,
  processBytes: 0,
  hostCalls: 0,
  bytesIn: 0,
  bytesOut: 0,
};

/** Adds a run to earlier runs, whose memory is no longer used. */
export function addRun(before: SandboxUsage, run: SandboxUsage): SandboxUsage {
  const { memoryBytes, processBytes } = run;
  return { ...addBeside(before, run), memoryBytes, processBytes };
}

/** Adds two runs that run at the same time. */
export function addBeside(one: SandboxUsage, other: SandboxUsage): SandboxUsage {
  return {
    calls: one.calls + other.calls,
    timeouts: one.timeouts + other.timeouts,
    cpuMs: one.cpuMs + other.cpuMs,
    pausedMs: one.pausedMs + other.pausedMs,
    memoryBytes: one.memoryBytes + other.memoryBytes,
    processBytes: one.processBytes + other.processBytes,
    hostCalls: one.hostCalls + other.hostCalls,
    bytesIn: one.bytesIn + other.bytesIn,
    bytesOut: one.bytesOut + other.bytesOut,
  };
}
