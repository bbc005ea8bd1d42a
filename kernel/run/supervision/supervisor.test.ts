import { describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { KernelError } from '../../errors.ts';
import type { Ending, Sandbox } from '../sandbox/index.ts';
import { noUsage } from '../usage/run-usage.ts';
import { Supervisor } from './supervisor.ts';

const crash: Ending = { reason: 'exited', message: 'It crashed.' };
const usage = noUsage;

/** One launch of the plugin; the test decides its result. */
interface Launch {
  readonly arrive: () => Promise<void>;
  readonly refuse: (error: Error) => Promise<void>;
  readonly end: (ending: Ending) => void;
  readonly calls: readonly string[];
}

/** A supervisor over launches that the test answers, and its events. */
function supervised() {
  const clock: FakeClock = createFakeClock();
  const launches: Launch[] = [];
  const told: string[] = [];
  const supervisor: Supervisor = new Supervisor({
    clock,
    launch: (onGone) => {
      const made = Promise.withResolvers<Sandbox>();
      const calls: string[] = [];
      const sandbox: Sandbox = {
        pluginId: 'a-plugin',
        call: async ({ method }) => {
          calls.push(method);
          return { kind: 'unknown-handler' };
        },
        stop: async () => {
          calls.push('stopped');
        },
        usage: () => usage,
      };
      launches.push({
        calls,
        arrive: async () => {
          made.resolve(sandbox);
          await clock.advance(0);
        },
        refuse: async (error) => {
          made.reject(error);
          await clock.advance(0);
        },
        end: onGone,
      });
      return made.promise;
    },
    open: () => {
      told.push('open');
      return () => told.push('close');
    },
    attach: () => {
      told.push('attach');
      return () => told.push('detach');
    },
    retire: () => undefined,
    changed: () => undefined,
    tell: (event) => told.push(`${event} (${supervisor.state})`),
    note: () => undefined,
  });

  async function launchNumber(number: number): Promise<Launch> {
    await clock.advance(0);
    const launch = launches[number];
    if (!launch) throw new Error(`There is no launch ${number}.`);
    return launch;
  }

  async function run(): Promise<Launch> {
    void supervisor.start();
    const launch = await launchNumber(launches.length);
    await launch.arrive();
    return launch;
  }

  return { supervisor, clock, launches, launchNumber, told, run };
}

describe('a supervisor', () => {
  test('starts a plugin, and attaches it when it runs', async () => {
    const { supervisor, told, launchNumber } = supervised();
    void supervisor.start();
    const launch = await launchNumber(0);
    const before = [supervisor.state, [...told]];

    await launch.arrive();

    expect(before).toEqual(['starting', ['open']]);
    expect([supervisor.state, told]).toEqual(['running', ['open', 'attach', 'started (running)']]);
  });

  test('stops a plugin after its shutdown call', async () => {
    const { supervisor, told, run } = supervised();
    const launch = await run();
    told.length = 0;

    await supervisor.stop();

    expect(launch.calls).toEqual(['shutdown', 'stopped']);
    expect(told).toEqual(['detach', 'close', 'stopped (stopped)']);
  });

  test('starts a plugin once, however often it is asked to', async () => {
    const { supervisor, launches, run } = supervised();
    await run();

    await Promise.all([supervisor.start(), supervisor.start()]);

    expect(launches).toHaveLength(1);
  });

  test('starts a crashed plugin again after a second, its events waiting meanwhile', async () => {
    const { supervisor, clock, told, run, launchNumber, launches } = supervised();
    const first = await run();
    told.length = 0;

    first.end(crash);
    const between = [supervisor.state, supervisor.errorMessage, launches.length];
    await clock.advance(999);
    const early = launches.length;
    await clock.advance(1);
    await (await launchNumber(1)).arrive();

    expect(between).toEqual(['starting', 'It crashed.', 1]);
    expect(early).toBe(1);
    expect(supervisor).toMatchObject({ state: 'running', errorMessage: null, restartAttempts: 1 });
    expect(supervisor.lastCrashAt).toBe(clock.now() - 1000);
    expect(told).toEqual(['detach', 'error (starting)', 'attach', 'restarted (running)']);
  });

  test('gives up after five restarts in ten minutes, and an admin can start it again', async () => {
    const { supervisor, clock, run, launchNumber, told } = supervised();
    let launch = await run();
    for (let crashes = 1; crashes <= 5; crashes += 1) {
      launch.end(crash);
      await clock.advance(16_000);
      launch = await launchNumber(crashes);
      await launch.arrive();
    }
    told.length = 0;

    launch.end(crash);
    const failed = [supervisor.state, supervisor.errorMessage, supervisor.restartAttempts];
    await clock.advance(60 * 60_000);
    await run();

    expect(failed).toEqual([
      'failed',
      'It crashed. It crashed too often and will not be restarted.',
      5,
    ]);
    expect(told.slice(0, 3)).toEqual(['detach', 'close', 'error (failed)']);
    expect(supervisor).toMatchObject({ state: 'running', errorMessage: null, restartAttempts: 0 });
  });

  test('restarts a plugin at once, without counting, when another plugin took the process down', async () => {
    const { supervisor, clock, run, launchNumber, told } = supervised();
    const first = await run();

    first.end({ reason: 'disconnected', message: 'Its process ended.' });
    await clock.advance(0);
    await (await launchNumber(1)).arrive();

    expect(supervisor).toMatchObject({ state: 'running', restartAttempts: 0, lastCrashAt: null });
    expect(told).not.toContain('error (starting)');
  });

  test('fails a plugin that does not start within 30 s, and ends it if it starts late', async () => {
    const { supervisor, clock, launchNumber } = supervised();
    const starting = supervisor.start();
    const launch = await launchNumber(0);

    await clock.advance(30_000);
    await starting;
    await launch.arrive();

    expect(supervisor).toMatchObject({
      state: 'failed',
      errorMessage: 'The plugin did not start within 30 s.',
    });
    expect(launch.calls).toEqual(['stopped']);
  });

  test('fails a plugin that cannot be evaluated, with the reason', async () => {
    const { supervisor, launchNumber } = supervised();
    const starting = supervisor.start();

    await (await launchNumber(0)).refuse(new KernelError('plugin_failed', 'It threw.'));
    await starting;

    expect(supervisor).toMatchObject({ state: 'failed', errorMessage: 'It threw.' });
  });

  test('restarts at once when another plugin took the process down during the start', async () => {
    const { supervisor, clock, launchNumber } = supervised();
    void supervisor.start();
    const cause: Ending = { reason: 'disconnected', message: 'Its process ended.' };

    await (await launchNumber(0)).refuse(new KernelError('plugin_failed', 'Gone.', { cause }));
    await clock.advance(0);
    await (await launchNumber(1)).arrive();

    expect(supervisor).toMatchObject({ state: 'running', restartAttempts: 0 });
  });

  test('tries again when its process did not answer during the start', async () => {
    const { supervisor, clock, launchNumber } = supervised();
    void supervisor.start();
    const cause: Ending = { reason: 'stuck', message: 'Its process no longer answers.' };

    await (await launchNumber(0)).refuse(new KernelError('plugin_failed', 'Gone.', { cause }));
    expect(supervisor.state).toBe('starting');
    await clock.advance(1000);
    await (await launchNumber(1)).arrive();

    expect(supervisor).toMatchObject({ state: 'running', restartAttempts: 1 });
  });

  test('tries again when a start failed without a fault of the plugin', async () => {
    const { supervisor, clock, launchNumber } = supervised();
    void supervisor.start();

    await (await launchNumber(0)).refuse(new Error('spawn EAGAIN'));
    await clock.advance(1000);
    await (await launchNumber(1)).arrive();

    expect(supervisor.state).toBe('running');
  });

  test('stops a starting plugin at once, and ends a late run', async () => {
    const { supervisor, launchNumber, told } = supervised();
    const starting = supervisor.start();
    const launch = await launchNumber(0);

    await supervisor.stop();
    await starting;
    await launch.arrive();

    expect([supervisor.state, launch.calls]).toEqual(['stopped', ['stopped']]);
    expect(told).toEqual(['open', 'close', 'stopped (stopped)']);
  });

  test('stops a plugin that waits for its restart, for good', async () => {
    const { supervisor, clock, run, launches } = supervised();
    (await run()).end(crash);

    await supervisor.stop();
    await clock.advance(60_000);

    expect([supervisor.state, launches.length, clock.timers()]).toEqual(['stopped', 1, 0]);
  });

  test('never has two runs at once: a start waits until the run before it has ended', async () => {
    const { supervisor, launches, launchNumber, clock } = supervised();
    void supervisor.start();
    const first = await launchNumber(0);
    await supervisor.stop();
    void supervisor.start();
    await clock.advance(0);
    const waiting = launches.length;

    await first.arrive();
    await (await launchNumber(1)).arrive();

    expect([waiting, first.calls, supervisor.state]).toEqual([1, ['stopped'], 'running']);
  });

  test('ignores what an earlier run does late', async () => {
    const { supervisor, run } = supervised();
    const first = await run();
    await supervisor.stop();
    await run();

    first.end(crash);

    expect(supervisor).toMatchObject({ state: 'running', restartAttempts: 0 });
  });

  test('restarts on request: stopped, then running again, with an event for each', async () => {
    const { supervisor, run, launchNumber, told } = supervised();
    await run();
    told.length = 0;

    const restarting = supervisor.restart();
    await (await launchNumber(1)).arrive();
    await restarting;

    expect(told).toEqual([
      'detach',
      'close',
      'stopped (stopped)',
      'open',
      'attach',
      'restarted (running)',
    ]);
  });

  test('leaves no timer behind', async () => {
    const { supervisor, clock, run } = supervised();
    await run();

    await supervisor.stop();

    expect(clock.timers()).toBe(0);
  });
});
