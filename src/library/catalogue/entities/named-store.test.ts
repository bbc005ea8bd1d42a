import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../kernel/store/index.ts';
import { openTestStorage } from '../../../../test/support/storage/storage.ts';
import { libraryMigrations } from '../index.ts';
import { readEntitiesNamed, readItemsOfParts, readLibrariesOfEntities } from './named-store.ts';

let database: Database;

const at = { created_at: 1, updated_at: 1 };

/** An item in each of two libraries; `both` is linked to both, `gone` to a missing one alone. */
beforeEach(async () => {
  ({ database } = await openTestStorage({ migrations: [libraryMigrations] }));
  await database.write(async (trx) => {
    for (const no of [1, 2])
      await trx('libraries').insert({
        ...{ no, id: `library-${no}`, name: `${no}`, name_key: `${no}`, type: 'movies' },
        ...{ roots: '[]', hidden: false, ...at },
      });
    for (const [no, status] of [
      [1, 'active'],
      [2, 'active'],
      [3, 'missing'],
    ] as const)
      await trx('items').insert({
        ...{ no, id: `item-${no}`, library_no: no === 2 ? 2 : 1, group_key: `${no}`, title: '' },
        ...{ sort_title: '', year: 0, metadata: '{}', status, is_named: true, seq: no },
        ...{ added_at: 1, updated_at: 1 },
      });
    for (const no of [1, 2, 4])
      await trx('files').insert({
        ...{ no, id: `file-${no}`, library_no: 1, item_no: no === 4 ? null : no, uri: `${no}` },
        ...{ classification: 'primary', status: 'active', size: 1, modified_at: 1, ...at },
      });
    await trx('chapters').insert({
      ...{ id: 'chapter-2', file_no: 2, title: '', source: '', start_time: 0, role: '', ...at },
    });
    await trx('assets').insert({
      id: 'picture-1',
      item_no: 1,
      type: 'poster',
      uri: '',
      source: '',
    });
    for (const [no, id] of [
      [1, 'both'],
      [2, 'gone'],
      [3, 'nobody'],
    ] as const)
      await trx('entities').insert({
        ...{ no, id, key: id, type: 'person', name: id, sort_name: id, status: 'known', ...at },
      });
    for (const [entity_no, item_no] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ] as const)
      await trx('item_entities').insert({ entity_no, item_no, role: 'actor', sort_order: 0 });
    await trx('merged_entities').insert({ id: 'once-both', entity_no: 1 });
    await trx('entity_assets').insert({
      ...{ id: 'picture-of-gone', entity_no: 2, type: 'photo', uri: '', source: '' },
    });
  });
});

describe('what an id names', () => {
  test('is the item of a file, a chapter or a picture; a forgotten file has none', async () => {
    const items = (...ids: readonly string[]) => readItemsOfParts(database.read, ids);

    expect(await items('file-1')).toEqual(['item-1']);
    expect(await items('chapter-2', 'file-2')).toEqual(['item-2']);
    expect(await items('picture-1')).toEqual(['item-1']);
    expect(await items('file-4', 'item-1', 'both', 'library-1', '')).toEqual([]);
  });

  test('is the entity itself, what it has become, or whose picture it is', async () => {
    const entities = (...ids: readonly string[]) => readEntitiesNamed(database.read, ids);

    expect(await entities('both', 'once-both')).toEqual(['both']);
    expect(await entities('picture-of-gone')).toEqual(['gone']);
    expect(await entities('item-1', 'file-1', 'picture-1')).toEqual([]);
  });

  test('of an entity is in the libraries of its active items', async () => {
    const rows = await readLibrariesOfEntities(database.read, ['both', 'gone', 'nobody']);

    expect(rows.toSorted((a, b) => (a.library_id < b.library_id ? -1 : 1))).toEqual([
      { id: 'both', library_id: 'library-1' },
      { id: 'both', library_id: 'library-2' },
    ]);
  });
});
