import { expect, test } from 'vitest';
import { createFaultPlan } from '../../../test/support/storage/faulty-driver.ts';
import { newDatabaseUrl, openTestStorage } from '../../../test/support/storage/storage.ts';

async function openFailing(fault: string | null) {
  const plan = createFaultPlan();
  let probes = 0;
  const storage = await openTestStorage({
    driver: 'node:sqlite',
    url: await newDatabaseUrl('node:sqlite'),
    migrations: [],
    through: plan.through,
    probeFolder: async () => {
      probes += 1;
      return fault;
    },
  });
  plan.arm({ kind: 'IOERR', length: 1, passes: 0, repeats: true });
  const codeOf = () =>
    storage.tryWrite().then(
      () => 'written',
      (error: unknown) => (error as { code?: string }).code,
    );
  return { plan, storage, codeOf, probes: () => probes };
}

test.each([
  ['read-only', 'storage_read_only'],
  ['full', 'storage_full'],
  [null, 'storage_failed'],
] as const)('a disk that fails, and on a try is %s, is told as %s', async (fault, code) => {
  const { plan, codeOf, probes } = await openFailing(fault);

  expect([await codeOf(), await codeOf(), probes()]).toEqual([code, code, 1]);
  plan.disarm();
  expect(await codeOf()).toBe('written');
});
