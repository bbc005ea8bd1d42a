import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/log.ts';
import { createPacker } from '../../../kernel/run/scripts/packer.ts';
import type { ProbeFile, ProbeOutcome, ReadRangesInput } from '../../../plugin-api/index.ts';
import { openSandboxes, startPlugin, type TestPlugin } from '../plugins/open-sandboxes.ts';
import { createRangeHost, type RangeHost } from './probe-host.ts';

/** A built-in probe in an isolate as the server makes it, over files that are there. */
export interface SandboxedProbe {
  readonly plugin: TestPlugin;
  readonly asked: RangeHost['asked'];
  readonly probe: (
    files: readonly ProbeFile[],
    timeoutMs?: number,
  ) => Promise<readonly ProbeOutcome[]>;
  /** Milliseconds of CPU that its process has used. */
  readonly cpuMs: () => number;
  /** Bytes that its process had at most. */
  readonly peakBytes: () => number;
  readonly stop: () => Promise<void>;
}

const built = path.resolve(import.meta.dirname, '../../../dist');
const dist = path.join(built, 'builtin-plugins');

export async function startProbe(id: string): Promise<SandboxedProbe> {
  const manifest = JSON.parse(readFileSync(path.join(dist, id, 'manifest.json'), 'utf8')) as {
    readonly resources: { readonly memoryMb: number };
    readonly permissions: { readonly wasm?: true };
  };
  const cacheFolder = mkdtempSync(path.join(tmpdir(), 'vitrine-probe-'));
  const builtFolder = path.join(built, 'plugin-scripts');
  const packer = createPacker({ cacheFolder, builtFolder, log: silentLog });
  const script = await packer.toScript(readFileSync(path.join(dist, id, 'index.js'), 'utf8'));
  rmSync(cacheFolder, { recursive: true });
  const { readRanges, asked } = createRangeHost();
  const sandboxes = openSandboxes();
  const plugin = await startPlugin(sandboxes, {
    pluginId: id,
    script,
    memoryMb: manifest.resources.memoryMb,
    wasm: manifest.permissions.wasm === true,
    services: { fs: ['readRanges'] },
    gate: async ({ body }) => ({
      ok: true,
      body: await readRanges(JSON.parse(String(body)) as ReadRangesInput),
    }),
  });
  return {
    plugin,
    asked,
    stop: () => sandboxes.stop(),
    cpuMs: () => sandboxes.report().reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    peakBytes: () => Math.max(...sandboxes.report().map(({ pid }) => peakOf(pid))),
    probe: async (files, timeoutMs = 30_000) => {
      const input = { libraryId: 'l', libraryType: 'movies', files };
      const reply = await plugin.call('probe.probe', input, timeoutMs);
      if (reply.kind !== 'returned') throw new Error(JSON.stringify(reply));
      return (JSON.parse(String(reply.body)) as { readonly results: readonly ProbeOutcome[] })
        .results;
    },
  };
}

const ticksPerSecond = 100;

function cpuMsOf(pid: number): number {
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** The high-water mark of resident memory. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
