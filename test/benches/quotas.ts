/** How soon a process that fills its memory is gone, and how well the processor is shared out. */
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processCapMb, type Sandboxes } from '../../kernel/run/sandbox/index.ts';
import { openSandboxes, startPlugin, type TestPlugin } from '../support/plugins/open-sandboxes.ts';
import { quantile, type Figure } from './figure.ts';
import { sized } from './size.ts';

const runs = sized(10, 1);
const memoryMb = 16;
const shareSeconds = sized(20, 2);

/** Fills the process itself, which watches nothing: the kernel alone can end it. */
const takenOver = `if (frame.kind !== 'call') return;
  const kept = [];
  const grow = () => { kept.push(Buffer.alloc(16 * 1048576, 1)); setTimeout(grow, 5); };
  grow();`;

/** Fills what the limit of an isolate does not count. */
const filling = `methods: { fill: () => { const all = new Map(); for (let n = 0; ; n += 1) all.set(n, n); } }`;

const burning = `methods: {
  ping: () => 'pong',
  burn: () => { let sum = 0; for (let n = 0; n < 1e7; n += 1) sum += n % 7; return sum; },
}`;

export async function benchQuotas(): Promise<readonly Figure[]> {
  const attacked = openSandboxes(
    path.resolve(import.meta.dirname, '../escapes/taken-over-host.mts'),
  );
  const sandboxes = openSandboxes();
  try {
    const lost = await overCapTimes(attacked, (id) =>
      startPlugin(attacked, { pluginId: id, memoryMb, script: takenOver }),
    );
    const filled = await overCapTimes(sandboxes, (id) =>
      startPlugin(sandboxes, { pluginId: id, memoryMb, definition: filling }),
    );
    return [
      { name: 'memory: taken over, over its cap for', ours: most(lost), ...ms },
      { name: 'memory: filled by a plugin, over its cap for', ours: most(filled), ...ms },
      ...(await shareFigures(sandboxes)),
    ];
  } finally {
    await Promise.all([attacked.stop(), sandboxes.stop()]);
  }
}

const ms = { bare: null, unit: 'ms', goal: 250 } as const;
const most = (times: readonly number[]): number => Math.max(...times);

/** Of each run, how long the process was above its cap before it was gone. */
async function overCapTimes(
  sandboxes: Sandboxes,
  start: (id: string) => Promise<TestPlugin>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const plugin = await start(`filler-${run}`);
    const host = sandboxes.report().find(({ pluginIds }) => pluginIds.includes(`filler-${run}`));
    const watched = timeOverCap(host?.pid ?? 0, processCapMb({ memoryMb, wasm: false }) * 1048576);
    await plugin.call('fill', {}, 60_000);
    await plugin.gone;
    times.push(await watched);
  }
  return times;
}

/** Looks every 2 ms, on the very loop that the kernel's own watch runs on. */
async function timeOverCap(pid: number, capBytes: number): Promise<number> {
  const file = openSync(`/proc/${pid}/statm`, 'r');
  const buffer = Buffer.alloc(128);
  let since: number | null = null;
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      const rss = Number(buffer.toString('latin1', 0, length).split(' ')[1]) * 4096;
      if (rss === 0) break;
      if (rss > capBytes) since ??= performance.now();
      await sleep(2);
    }
  } catch {
    // The process is gone.
  }
  closeSync(file);
  return since === null ? 0 : performance.now() - since;
}

/** A plugin that always computes, and one beside it in the same process that never does. */
async function shareFigures(sandboxes: Sandboxes): Promise<readonly Figure[]> {
  const share = 100;
  const modest = await startPlugin(sandboxes, {
    pluginId: 'modest',
    process: 'shared',
    definition: burning,
  });
  const quiet = await pings(modest);
  const greedy = await startPlugin(sandboxes, {
    pluginId: 'greedy',
    process: 'shared',
    cpuMsPerSecond: share,
    definition: burning,
  });
  let isOver = false;
  const burnt = (async () => {
    while (!isOver) await greedy.call('burn', {}, 60_000);
  })();
  const startedAt = performance.now();
  const beside: number[] = [];
  while (performance.now() - startedAt < shareSeconds * 1000) beside.push(...(await pings(modest)));
  isOver = true;
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(1100);
  const { cpuMs } = greedy.sandbox.usage();
  await greedy.sandbox.stop();
  await burnt;
  // Ten seconds' worth is saved at the start.
  const allowed = share * (seconds + 10);
  return [
    {
      name: 'cpu: used of what a greedy plugin may',
      ours: cpuMs,
      bare: allowed,
      unit: 'ms',
      goal: 1.1,
    },
    {
      name: 'cpu: p99 of a neighbour beside it',
      ours: quantile(beside, 0.99),
      bare: quantile(quiet, 0.99),
      unit: 'ms',
      goal: 2,
    },
  ];
}

async function pings(plugin: TestPlugin): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < 500; count += 1) {
    const at = performance.now();
    await plugin.call('ping');
    times.push(performance.now() - at);
  }
  return times;
}
