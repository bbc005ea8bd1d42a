import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  childPids,
  openSandboxes,
  startPlugin,
} from '../../../test/support/plugins/open-sandboxes.ts';
import type { HostReply } from '../../call/running-plugin.ts';
import { limits } from './limits.ts';
import { niceLevelsFor } from './process-priority.ts';
import type { Sandboxes } from './sandbox.ts';

let sandboxes: Sandboxes;
beforeAll(() => {
  sandboxes = openSandboxes();
});
afterAll(async () => {
  await sandboxes.stop();
  expect(childPids()).toEqual([]);
});

const pidOf = (pluginId: string): number =>
  sandboxes.report().find(({ pluginIds }) => pluginIds.includes(pluginId))?.pid ?? 0;

describe('the process of an installed plugin', () => {
  test('runs when the server and its own plugins leave the processor idle', async () => {
    await startPlugin(sandboxes, { pluginId: 'own', process: 'shared' });
    await startPlugin(sandboxes, { pluginId: 'installed', isLowPriority: true });

    expect(getPriority(pidOf('own'))).toBe(getPriority());
    expect(getPriority(pidOf('installed'))).toBe(Math.min(19, getPriority() + 5));
    expect(levelOfGroup(pidOf('installed'))).not.toBe(levelOfGroup(pidOf('own')));
  });

  test('gets less of the processor, the more such processes run beyond four', () => {
    const weight = (processes: number) => processes * 1.25 ** -niceLevelsFor(processes);

    expect([0, 1, 4, 5, 20, 1000].map(niceLevelsFor)).toEqual([5, 5, 5, 6, 13, 19]);
    for (const processes of [5, 10, 20, 50]) expect(weight(processes)).toBeLessThan(weight(4));
  });

  test('is not read for a while after its share of reading time', async () => {
    const spentMs = 2 * limits.readMsPerSecond;
    const heardAt: number[] = [];
    const plugin = await startPlugin(sandboxes, {
      pluginId: 'talker',
      isLowPriority: true,
      gate: () => {
        heardAt.push(performance.now());
        while (performance.now() < (heardAt.at(-1) ?? 0) + spentMs);
        return Promise.resolve<HostReply>({ ok: true, body: 'null' });
      },
      definition: `methods: { talk: async (_, host) => {
        await host.kv.get({ key: 'a' });
        await host.kv.get({ key: 'b' });
        return 'heard';
      } },`,
    });

    expect(await plugin.call('talk')).toMatchObject({ body: '"heard"' });
    const [first = 0, second = 0] = heardAt;

    expect(second - first - spentMs).toBeGreaterThan(500);
  });
});

/** Where Linux schedules sessions as groups, each has a level; else all have none. */
function levelOfGroup(pid: number): string | number {
  try {
    const [, level] = / nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8')) ?? [];
    return level ?? pid;
  } catch {
    return pid;
  }
}
