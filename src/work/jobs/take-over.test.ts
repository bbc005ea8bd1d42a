/** Jobs of a server that has ended, taken over by another one before their leases are over. */
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import { createUuidV7 } from '../../platform/uuid-v7.ts';
import { jobMigrations, type JobRunner, Jobs } from './index.ts';

const never = new Promise<never>(() => undefined);

function serverOver(database: Database, clock: FakeClock, owner: string): Jobs {
  return new Jobs({
    database,
    owner,
    isOnlyProcess: false,
    emit: () => undefined,
    background: { waitForSlot: async () => undefined },
    clock,
    newId: createUuidV7({ now: clock.now }),
    log: silentLog,
    libraryExists: async () => true,
  });
}

/** Stores a checkpoint and then hangs, as a server that is killed. */
const doomed: JobRunner = {
  step: async (_job, checkpoint) =>
    checkpoint === null ? { done: false, checkpoint: 'half', progress: 0.5 } : never,
};

test('a job resumes on another server from its last checkpoint, and other jobs are not touched', async () => {
  const { database } = await openTestStorage({ migrations: [jobMigrations] });
  const clock = createFakeClock();
  const [dead, alive, third] = ['dead', 'alive', 'third'].map((owner) =>
    serverOver(database, clock, owner),
  ) as [Jobs, Jobs, Jobs];
  onTestFinished(() => third.stop());
  const seen: unknown[] = [];
  dead.register('sum', doomed);
  alive.register('sum', { step: async () => never });
  third.register('sum', {
    step: async (_job, checkpoint) => {
      seen.push(checkpoint);
      return { done: true };
    },
  });
  const [first, second] = [
    await dead.enqueue({ type: 'sum', priority: 60 }),
    await dead.enqueue({ type: 'sum', priority: 10 }),
  ];
  const get = (id: string) => third.get(id, serverViewer);
  await dead.start();
  await expect.poll(async () => (await get(first.id)).progress).toBe(0.5);
  await expect.poll(async () => (await get(second.id)).status).toBe('running');
  const other = await alive.enqueue({ type: 'sum' });
  await alive.start();
  await expect.poll(async () => (await get(other.id)).status).toBe('running');
  await third.start();

  await third.takeOver('dead');

  await expect.poll(async () => (await get(first.id)).status).toBe('completed');
  expect(seen[0]).toBe('half');
  expect((await get(other.id)).status).toBe('running');
});
