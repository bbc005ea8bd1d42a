import { describe, expect, test } from 'vitest';
import { openTestStorage, sqliteDrivers } from '../../../test/support/storage/storage.ts';
import type { TextDocument } from '../../../plugin-api/index.ts';
import type { Storage } from '../index.ts';

const documents = (from: number, count: number): readonly TextDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `d${from + index}`,
    scope: 'films',
    kind: 'item',
    title: `Garden ${from + index}`,
    body: 'roses',
  }));

describe.each(sqliteDrivers)('the upkeep of a text index over %s', (driver) => {
  /** A storage whose quiet period ends whenever `quiet` is called. */
  async function openQuiet(): Promise<{
    storage: Storage;
    quiet: () => void;
    waits: () => boolean;
  }> {
    let due: (() => void) | undefined;
    const after = (_ms: number, run: () => void) => {
      due = run;
      return () => (due = undefined);
    };
    const storage = await openTestStorage({ driver, after });
    return { storage, quiet: () => due?.(), waits: () => due !== undefined };
  }

  async function segments({ database }: Storage): Promise<number> {
    const [row] = await database.read.raw<readonly { count: number }[]>(
      'select count(distinct segid) as count from text_index_1_words_idx',
    );
    return row?.count ?? 0;
  }

  async function putInParts({ textIndex }: Storage, parts: number): Promise<void> {
    for (let part = 0; part < parts; part += 1) {
      await textIndex.put('p', documents(part * 100, 100));
    }
  }

  test('merges the parts of many puts after a quiet period', async () => {
    const { storage, quiet } = await openQuiet();
    await putInParts(storage, 23);
    const before = await segments(storage);

    quiet();
    await expect.poll(() => segments(storage)).toBe(1);

    expect(before).toBeGreaterThan(1);
    const query = { terms: [{ text: 'garden' }, { text: '7' }], limit: 5 };
    const { hits, total } = await storage.textIndex.query('p', query);
    expect([hits.map(({ id }) => id), total]).toEqual([['d7'], 1]);
    const check = storage.database.write((trx) =>
      trx.raw("insert into text_index_1_words (text_index_1_words) values ('integrity-check')"),
    );
    await expect(check).resolves.toBeDefined();
  });

  test('does not merge for a few new documents', async () => {
    const { storage, waits } = await openQuiet();

    await storage.textIndex.put('p', documents(0, 400));

    expect(waits()).toBe(false);
  });

  test('waits for nothing more once the storage is closed', async () => {
    const { storage, waits } = await openQuiet();
    await putInParts(storage, 11);
    expect(waits()).toBe(true);

    await storage.close();

    expect(waits()).toBe(false);
  });
});
