import { describe, expect, test } from 'vitest';
import { openTestStorage } from '../../test/support/storage/storage.ts';
import { restorePluginData, backUpPluginData, removePluginData } from './plugin-data.ts';

const quota = 1_000_000;
const kept = 'p#1';

async function open() {
  const storage = await openTestStorage();
  const { kv, textIndex, database } = storage;
  const document = (id: string, title: string) => ({ id, scope: 's', kind: 'k', title, body: '' });
  const put = async (value: string, title: string): Promise<void> => {
    await kv.set('p', { key: 'a', json: JSON.stringify(value) }, quota);
    await textIndex.put('p', [document('1', title)]);
  };
  /** Asked again each time, since the index changes without its notice. */
  const seen = async () => {
    await textIndex.remove('p', ['nothing']);
    const found = async (text: string) =>
      (await textIndex.query('p', { terms: [{ text }], limit: 9 })).hits.map(({ title }) => title);
    return {
      value: await kv.get('p', 'a'),
      usedBytes: await kv.usedBytes('p'),
      old: await found('old'),
      fresh: await found('fresh'),
      size: await textIndex.size('p'),
    };
  };
  return { ...storage, put, seen, database };
}

describe('the data of a plugin', () => {
  test('is restored as it was, regardless of later writes', async () => {
    const { put, seen, database, kv, textIndex } = await open();
    await put('before', 'old words');
    const before = await seen();
    await database.write((trx) => backUpPluginData(trx, 'p', kept));
    const copied = await seen();
    await put('after, and longer', 'fresh words');
    await kv.set('p', { key: 'b', json: '1' }, quota);
    await textIndex.put('p', [{ id: '2', scope: 't', kind: 'm', title: 'old too', body: '' }]);
    const after = await seen();

    await database.write((trx) => restorePluginData(trx, 'p', kept));

    expect(before).toEqual({
      value: '"before"',
      usedBytes: 9,
      old: ['old words'],
      fresh: [],
      size: 1,
    });
    expect(copied).toEqual(before);
    expect(after).toMatchObject({ value: '"after, and longer"', fresh: ['fresh words'], size: 2 });
    expect(await seen()).toEqual(before);
    expect(await kv.get('p', 'b')).toBeNull();
    expect(await textIndex.similar('p', { text: 'fresh', limit: 5 })).toEqual([]);
  });

  test('can be written after a restore, and be backed up again', async () => {
    const { put, seen, database } = await open();
    await put('one', 'old one');
    for (let round = 0; round < 3; round += 1) {
      await database.write((trx) => backUpPluginData(trx, 'p', kept));
      await put('two', 'fresh two');
      await database.write((trx) => restorePluginData(trx, 'p', kept));
    }
    await put('three', 'old three');

    expect(await seen()).toMatchObject({ value: '"three"', old: ['old three'], fresh: [] });
  });

  test('of a plugin without data is empty afterwards', async () => {
    const { put, seen, database } = await open();
    await database.write((trx) => backUpPluginData(trx, 'p', kept));
    await put('after', 'fresh words');

    await database.write((trx) => restorePluginData(trx, 'p', kept));

    expect(await seen()).toEqual({ value: null, usedBytes: 0, old: [], fresh: [], size: 0 });
  });

  test('is removed with its backup, and without data of other plugins', async () => {
    const { put, seen, database, kv } = await open();
    await put('before', 'old words');
    await kv.set('q', { key: 'a', json: '1' }, quota);
    await database.write((trx) => backUpPluginData(trx, 'p', kept));

    await database.write(async (trx) => {
      for (const owner of ['p', kept]) await removePluginData(trx, owner);
    });

    expect(await seen()).toMatchObject({ value: null, size: 0 });
    expect(await kv.get('q', 'a')).toBe('1');
    expect(await database.read('kv_entries').select('plugin_id')).toEqual([{ plugin_id: 'q' }]);
    expect(await database.read('text_indexes').select()).toEqual([]);
  });
});
