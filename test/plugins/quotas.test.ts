/** Memory and processor, with real isolates in real processes: who is above a quota pays, and nobody else. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandboxes } from '../../kernel/run/sandbox/index.ts';
import {
  childPids,
  isAlive,
  openSandboxes,
  startPlugin,
  until,
} from '../support/plugins/open-sandboxes.ts';

let sandboxes: Sandboxes;
let takenOver: Sandboxes;
beforeAll(() => {
  sandboxes = openSandboxes();
  takenOver = openSandboxes(path.resolve(import.meta.dirname, '../escapes/taken-over-host.mts'));
});
afterAll(async () => {
  await Promise.all([sandboxes.stop(), takenOver.stop()]);
  expect(childPids()).toEqual([]);
});

const burning = `methods: {
  ping: () => 'pong',
  burn: () => { let sum = 0; for (let n = 0; n < 1e9; n += 1) sum += n % 7; return sum; },
}`;

describe('the share of the processor', () => {
  test('is waited for by who has used it up, while others in its process go on', async () => {
    const greedy = await startPlugin(sandboxes, {
      pluginId: 'greedy',
      process: 'shared',
      cpuMsPerSecond: 20,
      definition: burning,
    });
    const modest = await startPlugin(sandboxes, {
      pluginId: 'modest',
      process: 'shared',
      cpuMsPerSecond: 1000,
      definition: burning,
    });

    // A fifth of a second is saved; what is burnt beyond it is paid back for many seconds.
    expect(await greedy.call('burn', {}, 30_000)).toMatchObject({ kind: 'returned' });
    const late = greedy.call('ping', {}, 1500);
    const others = await Promise.all(Array.from({ length: 50 }, () => modest.call('ping')));

    expect(others.map(({ kind }) => kind)).toEqual(others.map(() => 'returned'));
    expect(await late).toEqual({ kind: 'timed-out' });
    expect(await until(() => greedy.sandbox.usage().pausedMs > 0)).toBe(true);
    expect(modest.sandbox.usage().pausedMs).toBe(0);
    expect(greedy.sandbox.usage().cpuMs).toBeGreaterThan(100);
  });
});

describe('the memory of a process', () => {
  test('is watched by the kernel, since a process in an attacker’s hands watches nothing', async () => {
    const attacker = await startPlugin(takenOver, {
      pluginId: 'attacker',
      memoryMb: 16,
      // 16 MiB every few milliseconds, in the process itself: no isolate has any part in it.
      script: `if (frame.kind !== 'call') return;
        const kept = [];
        const grow = () => { kept.push(Buffer.alloc(16 * 1048576, 1)); setTimeout(grow, 5); };
        grow();`,
    });
    const [host] = takenOver.report();

    const reply = await attacker.call('go', {}, 60_000);

    expect(reply).toEqual({ kind: 'gone' });
    expect(await attacker.gone).toEqual({
      reason: 'memory',
      message: 'Its process went over its memory cap.',
    });
    expect(await until(() => !isAlive(host?.pid ?? 0))).toBe(true);
  });

  test('is taken away from a plugin that fills it, while another goes on', async () => {
    const [filling, other] = await Promise.all([
      startPlugin(sandboxes, {
        pluginId: 'filling',
        memoryMb: 16,
        definition: `methods: { fill: () => { const all = new Map(); for (let n = 0; ; n += 1) all.set(n, 'x' + n); } }`,
      }),
      startPlugin(sandboxes, { pluginId: 'other', definition: burning }),
    ]);

    const reply = await filling.call('fill', {}, 30_000);

    expect(['gone', 'timed-out']).toContain(reply.kind);
    expect(['memory', 'cpu']).toContain((await filling.gone).reason);
    expect(await other.call('ping')).toEqual({ kind: 'returned', body: '"pong"' });
  });

  test('is told in the usage, and so is what crossed its border', async () => {
    const plugin = await startPlugin(sandboxes, { pluginId: 'told', definition: burning });
    await plugin.call('ping', { text: 'x'.repeat(1000) });

    expect(await until(() => plugin.sandbox.usage().processBytes > 1_048_576)).toBe(true);
    const { bytesIn, bytesOut } = plugin.sandbox.usage();
    expect(bytesIn).toBeGreaterThan(1000);
    expect(bytesOut).toBe('"pong"'.length);
  });
});
