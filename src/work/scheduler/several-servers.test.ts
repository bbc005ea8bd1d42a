/** Tasks that several servers of one database have in common. */
import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { testViewers } from '../../../test/support/servers/http.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createScheduler, schedulerMigrations, type Scheduler } from './index.ts';

const hourMs = 3_600_000;
const viewer = testViewers['admin'] as NonNullable<(typeof testViewers)[string]>;

interface World {
  readonly database: Database;
  readonly clock: FakeClock;
  /** Which servers ran which tasks, in order. */
  readonly runs: string[];
  readonly claims: Set<string>;
  keeper: string;
  /** Holds every run back. */
  gate: Promise<void>;
}

async function createWorld(): Promise<World> {
  const { database } = await openTestStorage({ migrations: [schedulerMigrations] });
  const clock = createFakeClock();
  return {
    ...{ database, clock, runs: [], claims: new Set<string>() },
    ...{ keeper: 'a', gate: Promise.resolve() },
  };
}

function serverIn(world: World, name: string): Scheduler {
  const { database, clock, runs, claims } = world;
  const work = (task: string, isLocal: boolean) => ({
    name: task,
    purpose: 'Is done.',
    intervalMs: hourMs,
    isLocal,
    run: async () => {
      runs.push(`${name} ${task}`);
      await world.gate;
    },
  });
  return createScheduler({
    database,
    works: [work('sweep', false), work('look', true)],
    audit: async () => undefined,
    emit: () => undefined,
    mayBegin: () => world.keeper === name,
    claim: async (task) => {
      if (claims.has(task)) return null;
      claims.add(task);
      return () => void claims.delete(task);
    },
    clock,
    random: () => 0,
    log: silentLog,
  });
}

const lastRun = (scheduler: Scheduler): string | null | undefined =>
  scheduler.list().find(({ name }) => name === 'sweep')?.lastRun;

test('only the leader starts due tasks, and each server those of its own machine', async () => {
  const world = await createWorld();
  const servers = ['a', 'b'].map((name) => serverIn(world, name));
  for (const server of servers) await server.start();

  await world.clock.advance(20_000);
  await eventually('all have run', () => world.runs.length === 3);
  await eventually('the others hear of it', async () => {
    for (const server of servers) await server.onRemoteRun();
    return lastRun(servers[1] as Scheduler) !== null;
  });

  expect([...world.runs].sort()).toEqual(['a look', 'a sweep', 'b look']);
  for (const server of servers) await server.stop();
});

test('a server that becomes the leader starts due tasks from then on', async () => {
  const world = await createWorld();
  const server = serverIn(world, 'b');
  await server.start();
  await world.clock.advance(hourMs / 2);
  const before = world.runs.filter((run) => run.endsWith('sweep'));

  world.keeper = 'b';
  await world.clock.advance(10_000);
  await eventually('it has run', () => world.runs.includes('b sweep'));

  expect(before).toEqual([]);
  await server.stop();
});

test('a run of a task that runs on another server is refused', async () => {
  const world = await createWorld();
  const [first, second] = ['a', 'b'].map((name) => serverIn(world, name)) as [Scheduler, Scheduler];
  const end = Promise.withResolvers<undefined>();
  world.gate = end.promise.then(() => undefined);
  await first.start();
  await second.start();
  await second.runNow('sweep', viewer);

  await expect(first.runNow('sweep', viewer)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('another server'),
  });
  end.resolve(undefined);
  await second.stop();
  await first.runNow('sweep', viewer);
  await first.stop();

  expect(world.runs).toEqual(['b sweep', 'a sweep']);
});
