import { describe, expect, test } from 'vitest';
import { KernelError } from '../../errors.ts';
import type { PluginReply } from '../../call/running-plugin.ts';
import type { Ending, Sandbox } from '../sandbox/index.ts';
import { startInstances } from './instances.ts';

/** Three instances whose calls the test answers, and their records. */
function threeInstances() {
  const asked: string[] = [];
  const told: Ending[] = [];
  const answers: (() => void)[][] = [];
  const ends: ((ending: Ending) => void)[] = [];

  async function start(onGone: (ending: Ending) => void): Promise<Sandbox> {
    const number = ends.push(onGone) - 1;
    answers[number] = [];
    return {
      pluginId: 'probe',
      call: ({ method }) => {
        asked.push(`${number} ${method}`);
        return new Promise<PluginReply>((resolve) => {
          answers[number]?.push(() => resolve({ kind: 'returned', body: `${number}` }));
        });
      },
      stop: async () => void asked.push(`${number} stopped`),
      usage: () => ({
        calls: 1,
        timeouts: 2,
        cpuMs: 3,
        pausedMs: 6,
        memoryBytes: 4,
        processBytes: 7,
        hostCalls: 5,
        bytesIn: 8,
        bytesOut: 9,
      }),
    };
  }

  const launch = (): Promise<Sandbox> =>
    startInstances({ count: 3, start, onGone: (ending) => told.push(ending) });
  return { asked, told, answers, ends, start, launch };
}

const request = (method: string) => ({ method, inputJson: '{}', timeoutMs: 1000 });
const crash: Ending = { reason: 'cpu', message: 'It computed too long.' };
const neighbour: Ending = { reason: 'disconnected', message: 'Its process ended.' };

describe('the instances of a plugin', () => {
  test('take turns: a call goes to the one with the fewest in flight', async () => {
    const { asked, answers, launch } = threeInstances();
    const plugin = await launch();

    void plugin.call(request('probe.probe'));
    const second = plugin.call(request('probe.probe'));
    void plugin.call(request('probe.probe'));
    answers[1]?.[0]?.();
    await second;
    void plugin.call(request('probe.probe'));

    expect(asked.map((line) => line[0])).toEqual(['0', '1', '2', '1']);
  });

  test('send all events to one of them, so that these stay in order', async () => {
    const { asked, launch } = threeInstances();
    const plugin = await launch();

    for (let count = 0; count < 3; count += 1) void plugin.call(request('event.dispatch'));

    expect(asked).toEqual(Array(3).fill('0 event.dispatch'));
  });

  test('shut down and stop together', async () => {
    const { asked, answers, told, launch } = threeInstances();
    const plugin = await launch();

    const shutdown = plugin.call(request('shutdown'));
    for (const [answer] of answers) answer?.();
    await shutdown;
    await plugin.stop();

    expect(asked).toEqual([
      ...['0 shutdown', '1 shutdown', '2 shutdown'],
      ...['0 stopped', '1 stopped', '2 stopped'],
    ]);
    expect(told).toEqual([]);
  });

  test('are one crash when one of them crashes, and the others end', async () => {
    const { asked, told, ends, launch } = threeInstances();
    await launch();

    ends[1]?.(crash);
    await Promise.resolve();

    expect(told).toEqual([crash]);
    expect(asked).toContain('0 stopped');
    expect(asked).toContain('2 stopped');
  });

  test('blame the one that took their process down, not those that fell with it', async () => {
    const { told, ends, launch } = threeInstances();
    await launch();

    for (const [number, end] of ends.entries()) end(number === 2 ? crash : neighbour);
    await Promise.resolve();

    expect(told).toEqual([crash]);
  });

  test('do not run at all when one of them does not start', async () => {
    const { asked, start, told } = threeInstances();
    let started = 0;

    const launched = startInstances({
      count: 3,
      start: (onGone) => {
        started += 1;
        if (started === 2) return Promise.reject(new KernelError('plugin_failed', 'It threw.'));
        return start(onGone);
      },
      onGone: (ending) => told.push(ending),
    });

    await expect(launched).rejects.toMatchObject({ code: 'plugin_failed' });
    expect(asked).toEqual(['0 stopped', '1 stopped']);
    expect(told).toEqual([]);
  });

  test('count what they used as one', async () => {
    const plugin = await threeInstances().launch();

    expect(plugin.usage()).toEqual({
      calls: 3,
      timeouts: 6,
      cpuMs: 9,
      pausedMs: 18,
      memoryBytes: 12,
      processBytes: 21,
      hostCalls: 15,
      bytesIn: 24,
      bytesOut: 27,
    });
  });
});
