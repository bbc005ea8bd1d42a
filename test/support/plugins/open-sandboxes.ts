import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  createSandboxes,
  type Ending,
  type LogEntry,
  type Sandbox,
  type Sandboxes,
  type SandboxesOptions,
  type SandboxSpec,
} from '../../../kernel/run/sandbox/index.ts';
import { silentLog } from '../../../kernel/log.ts';
import type { DispatchViewer } from '../../../kernel/call/dispatch-viewer.ts';
import type { HostGate, PluginReply } from '../../../kernel/call/running-plugin.ts';

const dist = path.resolve(import.meta.dirname, '../../../dist');

/** Sandboxes as the server has them, on the built host; `hostScript` puts another in its place. */
export function openSandboxes(
  hostScript = path.join(dist, 'plugin-host.mjs'),
  isolation: Pick<SandboxesOptions, 'isolation' | 'wrappers'> = {},
): Sandboxes {
  return createSandboxes({
    nodePath: process.execPath,
    hostScript,
    guestRuntime: readFileSync(path.join(dist, 'guest-runtime.js'), 'utf8'),
    log: silentLog,
    ...isolation,
  });
}

/** A plugin under test. */
export interface TestPlugin {
  readonly sandbox: Sandbox;
  readonly logs: readonly LogEntry[];
  /** Resolves when the plugin is gone. */
  readonly gone: Promise<Ending>;
  readonly call: (method: string, input?: unknown, timeoutMs?: number) => Promise<PluginReply>;
  readonly callFor: (viewer: DispatchViewer, method: string) => Promise<PluginReply>;
}

/** What the test says of the plugin; the rest has a usual value, and so has the script. */
export type TestPluginSpec = Partial<Omit<SandboxSpec, 'onLog' | 'onGone'>> & {
  /** The body of `definePlugin({...})`. */
  readonly definition?: string;
  /** What the script does before it defines the plugin. */
  readonly prelude?: string;
};

/** Answers every host call with what it was asked. */
export const echoGate: HostGate = (call) =>
  Promise.resolve({
    ok: true,
    body:
      typeof call.body === 'string'
        ? JSON.stringify({ service: call.service, method: call.method, body: call.body })
        : call.body,
  });

export async function startPlugin(
  sandboxes: Sandboxes,
  { definition = '', prelude = '', ...spec }: TestPluginSpec,
): Promise<TestPlugin> {
  const logs: LogEntry[] = [];
  const gone = Promise.withResolvers<Ending>();
  const sandbox = await sandboxes.start({
    pluginId: 'under-test',
    memoryMb: 64,
    wasm: false,
    process: 'own',
    services: { kv: ['get', 'set'], media: ['list'], viewing: ['lists'] },
    gate: echoGate,
    script: `${prelude}\nvar __plugin = { default: { ${definition} } };`,
    ...spec,
    onLog: (entry) => logs.push(entry),
    onGone: gone.resolve,
  });
  return {
    sandbox,
    logs,
    gone: gone.promise,
    call: (method, input = {}, timeoutMs = 5000) =>
      sandbox.call({ method, inputJson: JSON.stringify(input), timeoutMs }),
    callFor: (viewer, method) => sandbox.call({ method, inputJson: '{}', timeoutMs: 5000, viewer }),
  };
}

/** Whether a process is there; a zombie is none. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until something holds, looking often. */
export async function until(holds: () => boolean, timeoutMs = 60_000): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** The processes that this one has started and that are still there. */
export function childPids(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  return children.split(' ').map(Number).filter(isAlive);
}
