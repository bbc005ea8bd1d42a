/** What a check finds when it runs a plugin: whether it starts, how fast, and what it answers to. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog, type Manifest } from '../../kernel/index.ts';
import { systemClock } from '../clock.ts';
import { bundleForRehearsal, withoutComments } from './bundle.ts';
import { inTurn } from './esbuild-turns.ts';
import { createFakeLibrary } from './fake-library.ts';
import { warning, type Finding } from './finding.ts';
import { guestMethods, type DescribedPlugin } from './guest-rehearsal.ts';
import { PluginFault } from './plugin-fault.ts';
import { openRehearsal, type Rehearsal } from './rehearsal.ts';
import { reviewCode } from './review-code.ts';
import { reviewHandlers } from './review-handlers.ts';
import { reviewManifest } from './review-manifest.ts';
import { reviewPermissions } from './review-permissions.ts';
import { stage } from './stage.ts';

/** What was found. */
export interface Review {
  readonly findings: readonly Finding[];
  /** CPU milliseconds of its start; `null` = it did not start. */
  readonly startCpuMs: number | null;
}

/** More than that, and people wait for it at each start of a server. */
const slowMs = 250;
const measureMs = 3000;
const mostStarts = 3;

/** Runs the module of a plugin in the sandbox, with nothing granted and nothing to reach. */
export async function reviewPlugin(manifest: Manifest, source: string): Promise<Review> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-review-'));
  try {
    const entry = path.join(folder, 'index.mjs');
    await writeFile(entry, source);
    const { code } = await inTurn(() => bundleForRehearsal(entry));
    const bare = await inTurn(() => withoutComments(source));
    const started = await start(manifest, { folder, entry, code });
    return {
      startCpuMs: started.cpuMs,
      findings: [
        ...started.findings,
        ...reviewManifest(manifest),
        ...reviewPermissions(manifest, bare),
        ...reviewCode(manifest, bare),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(
  manifest: Manifest,
  { code, ...source }: { readonly folder: string; readonly entry: string; readonly code: string },
): Promise<{ readonly findings: readonly Finding[]; readonly cpuMs: number | null }> {
  const rehearsal = await openRehearsal({
    library: createFakeLibrary(),
    exchange: () => Promise.reject(new PluginFault('net_unreachable', 'Nothing goes out.')),
    clock: systemClock,
    isTimeTold: false,
    service: (service) => service,
    deadlineMs: ({ timeoutMs }) => timeoutMs,
    observe: () => undefined,
    withheld: () => undefined,
    log: silentLog,
  });
  try {
    const { wasm } = manifest.permissions;
    const granted = wasm === true ? { wasm } : {};
    // Whoever lacks another plugin or a value in the form is not wrong for it.
    const alone = {
      ...manifest,
      dependencies: {},
      configuration: (manifest.configuration ?? []).map((field) => ({ ...field, required: false })),
      resources: { ...manifest.resources, starts: 'at-once' as const },
    };
    const plugin = stage({ ...source, manifest: alone }, code);
    await inTurn(() => rehearsal.run(plugin, { granted, configuration: {} }));
    const cpuMs = await startCpuMs(rehearsal, manifest.id);
    const slow = `Its start takes ${Math.round(cpuMs)} ms of CPU; ${slowMs} ms are enough for most. Do less outside of handlers.`;
    return {
      cpuMs,
      findings: [
        ...(cpuMs > slowMs ? [warning('slow-start', slow)] : []),
        ...reviewHandlers(manifest, await describe(rehearsal, manifest.id)),
      ],
    };
  } catch (error) {
    if (!(error instanceof PluginFault)) throw error;
    return {
      cpuMs: null,
      findings: [{ level: 'error', code: 'does-not-start', message: error.message }],
    };
  } finally {
    await rehearsal.close();
  }
}

/** On a busy machine a start takes longer than it should: of several that are slow the fastest counts. */
async function startCpuMs(rehearsal: Rehearsal, id: string): Promise<number> {
  const { plugins } = rehearsal.kernel();
  let fastest = await cpuAfter(rehearsal, id, 0);
  for (let tries = 1; tries < mostStarts && fastest > slowMs; tries += 1) {
    const before = plugins.usage(id).cpuMs;
    await inTurn(() => plugins.restart(id));
    fastest = Math.min(fastest, await cpuAfter(rehearsal, id, before));
  }
  return fastest;
}

/** The process tells at intervals what was used. */
async function cpuAfter(rehearsal: Rehearsal, id: string, beforeMs: number): Promise<number> {
  const { plugins } = rehearsal.kernel();
  const end = performance.now() + measureMs;
  while (plugins.usage(id).memoryBytes === 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return plugins.usage(id).cpuMs - beforeMs;
}

async function describe(rehearsal: Rehearsal, id: string): Promise<DescribedPlugin> {
  const running = rehearsal.kernel().plugins.find(id);
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
  };
}
