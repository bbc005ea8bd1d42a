/** The gate of three servers, each with a connection of its own, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { openStorage, type AskLine } from '../../../kernel/store/index.ts';
import { migrations } from '../../compose/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { hasPostgres, temporaryDatabase } from '../../../test/support/storage/postgres.ts';
import { createAttemptGate, createSharedAttemptGate, type AttemptGate } from './index.ts';

const quiet = { up: async () => undefined, onNotification: () => undefined, down: () => undefined };

describe.skipIf(!hasPostgres())('a gate that three servers share (needs PostgreSQL)', () => {
  const gates: AttemptGate[] = [];
  let ask: AskLine;
  let end: () => Promise<void>;

  beforeAll(async () => {
    const { url, remove } = await temporaryDatabase();
    const storage = await openStorage({ url, migrations, log: silentLog });
    end = async () => {
      await storage.close();
      await remove();
    };
    for (let no = 0; no < 3; no += 1) {
      const line = await storage.shared?.openLine('test', quiet);
      if (line === undefined) throw new Error('PostgreSQL is shared.');
      ask = line.ask;
      gates.push(createSharedAttemptGate(ask, systemClock));
    }
  });

  afterAll(() => end());

  const begin = (no: number, ...keys: readonly string[]) =>
    (gates[no % 3] ?? createAttemptGate(systemClock)).begin(keys.map((key) => ({ key, free: 5 })));
  const ofOne = async (key: string): Promise<number> => {
    const gate = createAttemptGate(systemClock);
    let count = 0;
    while (
      await gate.begin([{ key, free: 5 }]).then(
        () => true,
        () => false,
      )
    )
      count += 1;
    return count;
  };
  const countOf = async (key: string) =>
    (await ask<{ count: number }>('select count from attempt_counters where key = $1', [key]))[0];

  test('allows as many guesses as that of one server, and no more when all come at once', async () => {
    let inTurn = 0;
    while (
      await begin(inTurn, 'turn').then(
        () => true,
        () => false,
      )
    )
      inTurn += 1;
    const atOnce = await Promise.allSettled(
      Array.from({ length: 30 }, (_, no) => begin(no, 'once')),
    );

    expect(inTurn).toBe(await ofOne('turn'));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(inTurn);
    await expect(begin(1, 'turn')).rejects.toMatchObject({ code: 'too_many_attempts' });
  });

  test('counts nothing for the other keys of an attempt that one key refuses', async () => {
    for (let no = 0; no < 6; no += 1) await begin(no, 'shut');

    await expect(begin(0, 'shut', 'open')).rejects.toMatchObject({ code: 'too_many_attempts' });

    expect(await countOf('open')).toBeUndefined();
  });

  test('forgets at all servers what a success forgets, and takes back what was not checked', async () => {
    for (let no = 0; no < 4; no += 1) await begin(no, 'mine', 'ours');

    await (await begin(1, 'mine', 'ours')).succeeded(['mine']);
    await (await begin(2, 'mine', 'ours')).unchecked();

    expect([await countOf('mine'), await countOf('ours')]).toEqual([undefined, { count: 4 }]);
  });
});
