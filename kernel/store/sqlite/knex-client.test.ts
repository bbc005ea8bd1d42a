import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../log.ts';
import type { SqliteDriver } from './driver.ts';
import { createSqliteEngine } from './sqlite-engine.ts';

/** A driver whose connections end, and which then opens no other: the disk is full. */
function openEnding() {
  const disk = { isFull: false };
  const driver: SqliteDriver = {
    name: 'node:sqlite',
    sharesReader: true,
    open: async () => ({
      isOpen: () => !disk.isFull,
      close: async () => undefined,
      run: async () => {
        if (disk.isFull) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
        return { rows: [], changes: 0, lastRowId: 0 };
      },
    }),
  };
  return { disk, driver };
}

test('statements that wait for one connection fail without SQL in their message', async () => {
  const { disk, driver } = openEnding();
  const patience = { patienceMs: 0, now: () => 0, sleep: async () => undefined };
  const engine = createSqliteEngine(driver, '/none/vitrine.db', { patience, log: silentLog });
  const db: Knex = engine.connect('reader');
  onTestFinished(() => db.destroy());
  await db('users').where({ id: 1 });
  disk.isFull = true;

  const failures = await Promise.allSettled([
    db('users').where({ id: 1 }),
    db('libraries').where({ id: 2 }),
  ]);

  const message = 'The disk of the database is full, and nothing was stored. Make room on it.';
  const expected = { status: 'rejected', reason: { code: 'storage_full', message } };
  expect(failures).toMatchObject([expected, expected]);
});
