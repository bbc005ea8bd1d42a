import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { openReadOnly, type Transaction } from '../../../kernel/store/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { createAudit } from '../../platform/audit/index.ts';
import { migrations } from '../../compose/index.ts';
import { createDatabaseCheck, checkIntegrity } from './index.ts';

async function scene() {
  const url = `sqlite:${path.join(temporaryFolder(), 'test.db')}`;
  const { database, kv, textIndex } = await openTestStorage({ url, migrations });
  const told: string[] = [];
  let elapsedMs = 0;
  const check = createDatabaseCheck({
    database,
    report: (_codes, found) =>
      void told.push(
        ...found.map(
          ({ code, message, detail }) => `${code}: ${message.english} ${detail?.english ?? ''}`,
        ),
      ),
    clock: createFakeClock(),
    elapsed: () => (elapsedMs += 5),
  });
  const alter = (work: (trx: Transaction) => Promise<unknown>) =>
    database.write(async (trx) => {
      await work(trx);
    });
  return { url, database, kv, textIndex, check, told, alter };
}

const item = {
  ...{ no: 1, id: 'i', library_no: 1, group_key: 'g', title: 'Film', sort_title: 'film' },
  ...{ year: 0, metadata: '{}', status: 'active', is_named: true, seq: 1 },
  ...{ added_at: 0, updated_at: 0 },
};
const library = {
  ...{ no: 1, id: 'l', name: 'Films', name_key: 'films', type: 'movies', roots: '[]' },
  ...{ hidden: false, created_at: 0, updated_at: 0 },
};

const amulet = { id: 'd', scope: 'l', kind: 'item', title: 'Amulet', body: 'gold' };

describe('the check of the database', () => {
  test('finds no fault in an intact database, and notifies no one', async () => {
    const { check, told } = await scene();

    const result = await check.run();

    expect(result).toEqual({
      ...{ ok: true, duration: 5, faults: [] },
      checkedAt: '2026-11-21T07:44:53.000Z',
    });
    expect([check.last(), told]).toEqual([result, []]);
  });

  test('names rows that break a rule between tables, and notifies the admins', async () => {
    const { alter, check, told } = await scene();
    await alter((trx) => trx('libraries').insert(library));
    await alter((trx) => trx('items').insert(item));
    await alter((trx) =>
      trx('item_entities').insert({ item_no: 1, entity_no: 9, role: 'actor', sort_order: 0 }),
    );

    const { ok, faults } = await check.run();

    expect([ok, faults]).toEqual([
      false,
      [
        { check: 'items', message: '1 items are shown and have no media file.' },
        { check: 'links', message: '1 links lead to an entity that does not exist.' },
      ],
    ]);
    expect(told).toEqual([
      expect.stringMatching(/^database_damaged: The database is damaged\. 1 items/),
    ]);
  });

  test('finds wrong counters of the kernel', async () => {
    const { alter, kv, textIndex, check } = await scene();
    await kv.set('p', { key: 'k', json: '"value"' }, 1000);
    await textIndex.put('p', [amulet]);
    await alter((trx) => trx.raw('update text_indexes set documents = 5'));
    await alter((trx) => trx.raw('update kv_usage set used_bytes = 1'));

    const { faults } = await check.run();

    expect(faults.map((fault) => fault.check)).toEqual(['text-index', 'plugin-store']);
  });

  test('finds a word index with missing words', async () => {
    const { url, textIndex, check } = await scene();
    await textIndex.put('p', [amulet]);
    // By default the driver keeps statements away from the tables of an index.
    const damaging = new DatabaseSync(url.slice('sqlite:'.length), { defensive: false });
    damaging.exec('delete from text_index_1_words_data where id > 10');
    damaging.close();

    const { faults } = await check.run();

    expect(faults).toMatchObject([{ check: 'pages', message: expect.stringContaining('fts5') }]);
  });

  test('finds a changed entry of the audit log', async () => {
    const { database, alter, check } = await scene();
    const audit = createAudit({ database, clock: createFakeClock(), log: silentLog });
    await audit.record({
      actor: 'server',
      action: 'plugin.enabled',
      change: 'event',
      target: null,
    });
    await alter((trx) => trx.raw('drop trigger audit_entries_never_change'));
    await alter((trx) => trx('audit_entries').update({ action: 'plugin.disabled' }));

    const { faults } = await check.run();

    expect(faults).toMatchObject([{ check: 'audit' }]);
  });

  test('finds damaged pages, also in a closed file', async () => {
    const { url, alter } = await scene();
    await alter((trx) =>
      trx('libraries').insert(
        Array.from({ length: 200 }, (_, no) => ({
          ...library,
          ...{ no: no + 1, id: `l${no}`, name: `${no}`, name_key: `${no}`, roots: 'x'.repeat(500) },
        })),
      ),
    );
    const copy = `${url.slice('sqlite:'.length)}.copy`;
    const whole = await openReadOnly({ url, log: silentLog });
    await whole.read.raw('vacuum into ?', [copy]);
    await whole.close();
    overwrite(copy);

    const damaged = await openReadOnly({ url: `sqlite:${copy}`, log: silentLog });
    onTestFinished(damaged.close);
    const faults = await checkIntegrity(damaged.read);

    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults.map(({ check }) => check))).toEqual(new Set(['pages']));
  });

  test('does not block writes, and refuses a second check meanwhile', async () => {
    const { database, check } = await scene();

    const running = check.run();
    await database.write((trx) => trx('libraries').insert(library));
    await expect(check.run()).rejects.toMatchObject({ code: 'conflict' });

    expect(await running).toMatchObject({ ok: true });
  });
});

/** Overwrites the pages of the long rows with noise, and no other. */
function overwrite(file: string): void {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += 4096)
    if (bytes.subarray(at, at + 4096).includes('x'.repeat(400))) bytes.fill(0x5a, at, at + 4096);
  writeFileSync(file, bytes);
}
