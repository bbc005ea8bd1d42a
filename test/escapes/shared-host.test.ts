import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import type { Sandboxes } from '../../kernel/run/sandbox/index.ts';
import {
  childPids,
  isAlive,
  openSandboxes,
  startPlugin,
  until,
} from '../support/plugins/open-sandboxes.ts';

const definition = `methods: {
  ping: () => 'pong',
  loop: () => { for (;;); },
  lose: () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1),
  bomb: () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }); },
  wait: () => new Promise(() => {}),
},`;

describe('plugins that share a process', () => {
  let sandboxes: Sandboxes;
  beforeAll(() => {
    sandboxes = openSandboxes();
  });
  afterAll(async () => {
    await sandboxes.stop();
    expect(childPids()).toEqual([]);
  });

  const start = (pluginId: string, own = false): ReturnType<typeof startPlugin> =>
    startPlugin(sandboxes, { pluginId, process: own ? 'own' : 'shared', definition });

  test('go on when one of them loops, and only that one is ended', async () => {
    const [culprit, neighbour] = await Promise.all([start('culprit'), start('neighbour')]);
    const pids = sandboxes.report().map(({ pid }) => pid);
    const loop = culprit.call('loop', {}, 400);
    expect(await neighbour.call('ping')).toEqual({ kind: 'returned', body: '"pong"' });
    expect(await loop).toEqual({ kind: 'timed-out' });
    expect(await culprit.gone).toMatchObject({ reason: 'cpu' });
    expect(await neighbour.call('ping')).toEqual({ kind: 'returned', body: '"pong"' });
    expect(sandboxes.report().map(({ pid }) => pid)).toEqual(pids);
    await neighbour.sandbox.stop();
  });

  test.each([
    ['runs code that nothing can interrupt', 'lose', ['cpu', 'stuck']],
    ['makes the engine run out of memory', 'bomb', ['memory', 'cpu', 'stuck', 'exited']],
  ])('are reported gone without blame when one of them %s', async (_, method, reasons) => {
    const apart = await start('apart', true);
    const [culprit, neighbour] = await Promise.all([start('culprit'), start('neighbour')]);
    const waiting = neighbour.call('wait', {}, 20_000);
    void culprit.call(method, {}, method === 'bomb' ? 10_000 : 400);
    expect(reasons).toContain((await culprit.gone).reason);
    expect(await neighbour.gone).toMatchObject({ reason: 'disconnected' });
    expect(await waiting).toEqual({ kind: 'gone' });
    expect(await apart.call('ping')).toEqual({ kind: 'returned', body: '"pong"' });

    const again = await start('neighbour');
    expect(await again.call('ping')).toEqual({ kind: 'returned', body: '"pong"' });
    await Promise.all([again.sandbox.stop(), apart.sandbox.stop()]);
  });

  testByNight('may end their process in turn without leaving one behind', async () => {
    const pids: number[] = [];
    for (let round = 0; round < 3; round++) {
      const [a, b] = await Promise.all([start('a'), start('b')]);
      pids.push(...sandboxes.report().map(({ pid }) => pid));
      void (round % 2 === 0 ? a : b).call('lose', {}, 200);
      await Promise.all([a.gone, b.gone]);
    }
    expect(await until(() => !pids.some(isAlive))).toBe(true);
    expect(sandboxes.report()).toEqual([]);
  });
});
