/** A check that runs a plugin: whether it starts, how fast, and which handlers it has. */
import type { Manifest } from '../../../../plugin-api/index.ts';
import { inTurn } from '../packing/esbuild-turns.ts';
import { warning, type Finding } from './finding.ts';
import { guestMethods, type DescribedPlugin } from '../packing/guest-test-harness.ts';
import { hostCallsIn } from './host-calls.ts';
import { PluginFault } from '../packing/plugin-fault.ts';
import { readCode } from './read-code.ts';
import type { TestHarness } from '../test-harness/test-harness.ts';
import { hostServices, reviewCode } from './review-code.ts';
import { reviewLocales } from './review-locales.ts';
import { reviewHandlers } from './review-handlers.ts';
import { reviewManifest } from './review-manifest.ts';
import { reviewPermissions } from './review-permissions.ts';
import { tryStart, type PackedPlugin } from '../test-harness/try-start.ts';

/** The result. */
export interface Review {
  readonly findings: readonly Finding[];
  /** CPU milliseconds of its start; `null` = it did not start. */
  readonly startCpuMs: number | null;
}

/** A start that takes longer delays each start of a server. */
const slowMs = 250;
const measureMs = 3000;
const mostStarts = 3;

/** Runs a plugin in the sandbox, and checks its manifest and its bundle. */
export async function reviewPlugin(plugin: PackedPlugin): Promise<Review> {
  const { manifest, source, locales } = plugin;
  const code = await inTurn(() => readCode(source));
  const calls = hostCallsIn(code.text, hostServices);
  const started = await tryStart(plugin, (harness) => reviewRun(manifest, harness)).catch(
    notStarted,
  );
  return {
    startCpuMs: started.startCpuMs,
    findings: [
      ...started.findings,
      ...reviewManifest(manifest),
      ...reviewLocales(manifest, locales, code.text),
      ...reviewPermissions(manifest, code, calls),
      ...reviewCode(manifest, code, calls),
    ],
  };
}

async function reviewRun(manifest: Manifest, harness: TestHarness): Promise<Review> {
  const cpuMs = await startCpuMs(harness, manifest.id);
  const slow = `Its start takes ${Math.round(cpuMs)} ms of CPU; ${slowMs} ms are enough for most. Do less outside of handlers.`;
  return {
    startCpuMs: cpuMs,
    findings: [
      ...(cpuMs > slowMs ? [warning('slow-start', slow)] : []),
      ...reviewHandlers(manifest, await describe(harness, manifest.id)),
    ],
  };
}

function notStarted(error: unknown): Review {
  if (!(error instanceof PluginFault)) throw error;
  return {
    startCpuMs: null,
    findings: [{ level: 'error', code: 'does-not-start', message: error.message }],
  };
}

/** A start is slower on a busy machine, so of several slow starts the fastest counts. */
async function startCpuMs(harness: TestHarness, id: string): Promise<number> {
  const { plugins } = harness.kernel();
  let fastest = await cpuAfter(harness, id, 0);
  for (let tries = 1; tries < mostStarts && fastest > slowMs; tries += 1) {
    const before = plugins.usage.of(id).cpuMs;
    await inTurn(() => plugins.lifecycle.restart(id));
    fastest = Math.min(fastest, await cpuAfter(harness, id, before));
  }
  return fastest;
}

/** The process reports its usage at intervals. */
async function cpuAfter(harness: TestHarness, id: string, beforeMs: number): Promise<number> {
  const { plugins } = harness.kernel();
  const end = performance.now() + measureMs;
  while (plugins.usage.of(id).memoryBytes === 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return plugins.usage.of(id).cpuMs - beforeMs;
}

async function describe(harness: TestHarness, id: string): Promise<DescribedPlugin> {
  const running = harness.kernel().plugins.lifecycle.running(id);
  const call = { method: guestMethods.describe, inputJson: '{}', timeoutMs: 5000 };
  const reply = await running?.call(call);
  if (reply?.kind !== 'returned' || typeof reply.body !== 'string') {
    throw new PluginFault('not_started', 'It ended right after its start.');
  }
  const told: unknown = JSON.parse(reply.body);
  const names = (section: keyof DescribedPlugin): readonly string[] => {
    const list = new Map(Object.entries(told ?? {})).get(section) as unknown;
    return Array.isArray(list) ? list.map(String) : [];
  };
  return {
    events: names('events'),
    hooks: names('hooks'),
    views: names('views'),
    actions: names('actions'),
    methods: names('methods'),
    exports: names('exports'),
    notFunctions: names('notFunctions'),
  };
}
