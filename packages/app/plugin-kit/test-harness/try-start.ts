/** Starts a plugin in the sandbox, without permissions and without network. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../../kernel/index.ts';
import type { Locales } from '../../../../kernel/run/locales/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { bundleForTestHarness } from '../packing/bundle.ts';
import { inTurn } from '../packing/esbuild-turns.ts';
import { createFakeLibrary } from '../fakes/fake-library.ts';
import { PluginFault } from '../packing/plugin-fault.ts';
import { openTestHarness, type TestHarness } from './test-harness.ts';
import { stage } from './stage.ts';

/** A plugin as it is in a package. */
export interface PackedPlugin {
  readonly manifest: Manifest;
  readonly locales: Locales;
  /** The module. */
  readonly source: string;
  /** What the module was made of, where the author's folder is there: errors name the places in it. */
  readonly origin: PluginOrigin | null;
}

/** The author's folder of a plugin. */
export interface PluginOrigin {
  readonly folder: string;
  /** The file that is bundled. */
  readonly entry: string;
}

/**
 * Starts the plugin, passes it to the function, and ends it. Rejects with a {@link PluginFault} that says why it does not
 * start, and in which line of which file.
 */
export async function tryStart<Told>(
  plugin: Omit<PackedPlugin, 'locales'>,
  use: (running: TestHarness) => Promise<Told>,
): Promise<Told> {
  if (plugin.origin !== null) return startFrom(plugin.origin, plugin.manifest, use);
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-review-'));
  try {
    const entry = path.join(folder, ...plugin.manifest.main.split('/'));
    await mkdir(path.dirname(entry), { recursive: true });
    await writeFile(entry, plugin.source);
    return await startFrom({ folder, entry }, plugin.manifest, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startFrom<Told>(
  origin: PluginOrigin,
  manifest: Manifest,
  use: (running: TestHarness) => Promise<Told>,
): Promise<Told> {
  const { code } = await inTurn(() => bundleForTestHarness(origin.entry, origin.folder));
  const harness = await openTestHarness({
    library: createFakeLibrary(),
    exchange: () =>
      Promise.reject(new PluginFault('net_unreachable', 'There is no network during this check.')),
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
    const plugin = stage({ manifest: alone(manifest), localeTexts: new Map() }, code);
    await inTurn(() => harness.run(plugin, { granted, configuration: {} }));
    return await use(harness);
  } finally {
    await harness.close();
  }
}

/** A missing dependency or a missing configuration value is not a fault of the plugin. */
const alone = (manifest: Manifest): Manifest => ({
  ...manifest,
  dependencies: {},
  configuration: (manifest.configuration ?? []).map((field) => ({ ...field, required: false })),
  resources: { ...manifest.resources, starts: 'at-once' },
});
