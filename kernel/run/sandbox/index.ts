export { isolationWords, type IsolationMode, type IsolationReport } from './isolation.ts';
export { createSandboxes, processCapMb, type SandboxesOptions } from './sandboxes.ts';
export type {
  Ending,
  EndingReason,
  HostReport,
  LogEntry,
  Sandbox,
  Sandboxes,
  SandboxSpec,
  SandboxUsage,
} from './sandbox.ts';
