import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { KernelError } from '../../errors.ts';
import type { Ending, Sandbox } from '../sandbox/index.ts';
import { createOnDemand } from './on-demand.ts';
import { noUsage } from '../usage/run-usage.ts';

/** A plugin on demand whose runs answer at once, and its records. */
function sleeper(start?: () => Promise<Sandbox>) {
  const clock = createFakeClock();
  const log: string[] = [];
  const ends: ((ending: Ending) => void)[] = [];

  function run(onGone: (ending: Ending) => void): Sandbox {
    const number = ends.push(onGone);
    log.push(`start ${number}`);
    return {
      pluginId: 'probe-wasm',
      call: async ({ method, timeoutMs }) => {
        log.push(`${method} ${number}`);
        return { kind: 'returned', body: `${timeoutMs}` };
      },
      stop: async () => void log.push(`stop ${number}`),
      usage: () => ({ ...noUsage, calls: 1, cpuMs: 10, memoryBytes: 1000, hostCalls: 2 }),
    };
  }

  const plugin = createOnDemand({
    pluginId: 'probe-wasm',
    start: start ?? (async (onGone) => run(onGone)),
    onGone: ({ message }) => void log.push(`gone: ${message}`),
    shutDown: async (sandbox) => {
      log.push('shutdown');
      await sandbox.stop();
    },
    clock,
  });
  const call = (method: string, timeoutMs = 1000) =>
    plugin.call({ method, inputJson: '{}', timeoutMs });
  return { clock, log, ends, plugin, call };
}

describe('a plugin on demand', () => {
  test('starts at its first call, once for all calls meanwhile', async () => {
    const { log, call } = sleeper();

    expect(log).toEqual([]);
    await Promise.all([call('probe.probe'), call('ping')]);

    expect(log).toEqual(['start 1', 'probe.probe 1', 'ping 1']);
  });

  test('ends after five minutes without a call, and starts again at the next one', async () => {
    const { clock, log, call } = sleeper();
    await call('ping');
    await clock.advance(4 * 60_000);
    await call('ping');
    await clock.advance(4 * 60_000);
    expect(log).toEqual(['start 1', 'ping 1', 'ping 1']);

    await clock.advance(60_000);
    await call('ping');

    expect(log.slice(3)).toEqual(['shutdown', 'stop 1', 'start 2', 'ping 2']);
  });

  test('counts the time of its start against the call that waits for it', async () => {
    const never = Promise.withResolvers<Sandbox>();
    const { clock, call } = sleeper(() => never.promise);

    const reply = call('probe.probe', 1000);
    await clock.advance(1000);

    expect(await reply).toEqual({ kind: 'timed-out' });
  });

  test('tells of a crash once, and is gone from then on', async () => {
    const { log, ends, call } = sleeper();
    await call('ping');

    ends[0]?.({ reason: 'memory', message: 'Too large.' });
    ends[0]?.({ reason: 'memory', message: 'Too large.' });

    expect(log).toEqual(['start 1', 'ping 1', 'gone: Too large.']);
    expect(await call('ping')).toEqual({ kind: 'gone' });
  });

  test('has crashed when it cannot start', async () => {
    const { log, call } = sleeper(() => Promise.reject(new KernelError('plugin_failed', 'No.')));

    expect(await call('ping')).toEqual({ kind: 'gone' });
    expect(log).toEqual(['gone: No.']);
  });

  test('is not started to be shut down', async () => {
    const { log, plugin, call } = sleeper();

    expect(await call('shutdown')).toEqual({ kind: 'returned', body: 'null' });
    await plugin.stop();

    expect(log).toEqual([]);
  });

  test('stops what runs, and leaves no timer behind', async () => {
    const { clock, log, plugin, call } = sleeper();
    await call('ping');

    await plugin.stop();

    expect(log).toEqual(['start 1', 'ping 1', 'stop 1']);
    expect(clock.timers()).toBe(0);
  });

  test('counts what all its runs have used, and the memory of the present one alone', async () => {
    const { clock, plugin, call } = sleeper();
    await call('ping');
    await clock.advance(5 * 60_000);
    expect(plugin.usage()).toMatchObject({ calls: 1, cpuMs: 10, memoryBytes: 0 });

    await call('ping');

    expect(plugin.usage()).toMatchObject({ calls: 2, cpuMs: 20, memoryBytes: 1000 });
  });
});
