import { expect, test } from 'vitest';
import { KernelError, type KernelErrorCode } from '../../../kernel/index.ts';
import type { FolderFault } from '../../platform/folder-probe.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { FoundProblem } from '../../platform/problems/index.ts';
import { createWriteWatch } from './index.ts';

function open() {
  const clock = createFakeClock();
  const world = {
    fault: null as FolderFault | null,
    refusal: null as KernelErrorCode | null,
    isReadable: true,
    probes: 0,
    found: [] as readonly FoundProblem[],
  };
  const watch = createWriteWatch({
    folders: [{ name: 'data folder', path: '/data' }],
    probe: async () => {
      world.probes += 1;
      return world.fault;
    },
    ping: () => (world.isReadable ? Promise.resolve() : Promise.reject(new Error('away'))),
    tryWrite: () =>
      world.refusal === null
        ? Promise.resolve()
        : Promise.reject(new KernelError(world.refusal, 'No.')),
    report: (_codes, found) => void (world.found = found),
    clock,
  });
  return { clock, watch, world, told: () => world.found.map(({ message }) => message.english) };
}

test('a folder that cannot be written is a problem until it can, and is tried once in five seconds', async () => {
  const { clock, watch, world, told } = open();
  world.fault = 'read-only';
  await Promise.all([watch.refresh(), watch.refresh()]);
  await watch.refresh();

  expect(told()).toEqual(['The disk of the data folder is read-only.']);
  expect(world.probes).toBe(1);
  world.fault = null;
  await clock.advance(5_000);
  expect(told()).toEqual([]);
  expect(clock.timers()).toBe(0);
});

test('a refused write is a problem at once, until a write into the database succeeds', async () => {
  const { clock, watch, world, told } = open();
  world.refusal = 'storage_full';
  watch.refused('storage_full');
  await watch.refresh();

  expect(told()).toEqual(['The disk of the database is full.']);
  world.refusal = 'storage_read_only';
  await clock.advance(5_000);
  expect(told()).toEqual(['The disk of the database is read-only.']);
  world.refusal = null;
  await clock.advance(5_000);
  expect(told()).toEqual([]);
  watch.stop();
  expect(clock.timers()).toBe(0);
});

test('a write that failed once, or a database that cannot be read, is not a problem of writing', async () => {
  const { clock, watch, world, told } = open();
  watch.refused('storage_failed');
  await watch.refresh();
  expect(told()).toEqual([]);

  world.isReadable = false;
  watch.refused('storage_failed');
  await clock.advance(5_000);
  expect(told()).toEqual([]);
  watch.stop();
});

test('nobody is advised to restore a backup or to change rights when the disk is read-only', async () => {
  const { watch, world } = open();
  world.fault = 'read-only';
  await watch.refresh();

  expect(world.found.map(({ action }) => Object.values(action).join(' ')).join(' ')).not.toMatch(
    /backup|chown|chmod/,
  );
});
