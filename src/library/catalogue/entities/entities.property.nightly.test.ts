import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LibraryChange } from '../../../../plugin-api/index.ts';
import {
  admin,
  openMentionLibrary,
  type MentionLibrary,
  type Mentions,
} from '../../../../test/support/library/mentions.ts';
import { countItemsOf, type EntityCountRow } from '../tables/entity-count-store.ts';

/** Few names and few ids, so that they meet in every way. */
const name = fc.constantFrom('Ann', 'ANN', 'Bob', 'Cid', 'Ann & Bob', 'Bob feat. Cid');
const ids = fc.dictionary(fc.constantFrom('imdb', 'tmdb', 'tvdb'), fc.constantFrom('1', '2', '3'), {
  maxKeys: 2,
});
const status = fc.constantFrom('pending', 'complete');
const artist = fc.record({ name, ids, status });
const album = fc.record({ name: fc.constantFrom('One', 'Two'), ids: fc.constant({}), status });
const item = fc.record({
  artist: fc.array(artist, { maxLength: 3 }),
  albumArtist: fc.array(artist, { maxLength: 1 }),
  album: fc.array(album, { maxLength: 1 }),
});
/** One page of a scan. */
const pages = fc.array(fc.array(item, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 5,
});

interface State {
  readonly entities: readonly { no: number; id: string; key: string; parent_no: number | null }[];
  readonly ids: readonly { provider: string; value: string; entity_no: number }[];
  readonly names: readonly { key: string; entity_no: number }[];
  readonly links: readonly { item_no: number; entity_no: number; role: string }[];
  readonly merged: readonly { id: string; entity_no: number }[];
}

async function stateOf(library: MentionLibrary): Promise<State> {
  const db = library.storage.database.read;
  const tables = ['entities', 'entity_ids', 'entity_names', 'item_entities', 'merged_entities'];
  const [entities, known, names, links, merged] = await Promise.all(tables.map((one) => db(one)));
  return { entities, ids: known, names, links, merged } as State;
}

function check({ entities, ids: known, names, links, merged }: State): void {
  const numbers = new Set(entities.map(({ no }) => no));
  const loose = [...known, ...names, ...links, ...merged].filter(
    (row) => !numbers.has(row.entity_no),
  );
  expect(loose).toEqual([]);
  const orphans = entities.filter(({ parent_no: no }) => no !== null && !numbers.has(no));
  expect(orphans).toEqual([]);
  for (const { key, parent_no: no } of entities)
    if (no !== null) expect(key.split('\n')[1]).toBe(`#${no}`);
  const places = known.map((one) => `${one.entity_no} ${one.provider}`);
  expect(new Set(places).size).toBe(places.length);
  const alive = new Set(entities.map(({ id }) => id));
  expect(merged.filter(({ id }) => alive.has(id))).toEqual([]);
}

/** An index that follows the feed: the name of each entity. */
function createIndex(library: MentionLibrary): () => Promise<ReadonlyMap<string, string>> {
  const index = new Map<string, string>();
  const run = library.service.methods['changes']?.run as (
    input: object,
    caller: object,
  ) => Promise<string>;
  let at = 0;
  return async () => {
    for (;;) {
      const page = JSON.parse(await run({ seq: at, limit: 3 }, { reach: 'all', viewer: null })) as {
        changes: readonly LibraryChange[];
        seq: number;
        done: boolean;
      };
      for (const change of page.changes) {
        if (change.kind === 'entity-left') index.delete(change.entityId);
        if (change.kind === 'present')
          for (const { id, name: called } of change.item.entities) index.set(id, called);
      }
      at = page.seq;
      if (page.done) return index;
    }
  };
}

/** The upkeep has stored the sums of every entity that does not wait for it. */
async function checkCounts({ storage }: MentionLibrary): Promise<void> {
  const db = storage.database.read;
  const [entities, stored, queue] = await Promise.all([
    db('entities').pluck<number[]>('no'),
    db('entity_counts').select<EntityCountRow[]>('*'),
    db('touched_entities').pluck<number[]>('entity_no'),
  ]);
  const isQueued = new Set(queue);
  const textsOf = (rows: readonly EntityCountRow[]): readonly string[] =>
    rows
      .filter(({ entity_no: no }) => !isQueued.has(no))
      .map((row) => `${row.entity_no} ${row.library_no} ${row.items} ${row.added_at}`)
      .sort();
  expect(textsOf(stored)).toEqual(textsOf(await countItemsOf(db, entities)));
}

async function shownEntities(library: MentionLibrary): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(
    ['artist', 'album'].map((type) => library.entities.list(admin, { type, limit: 500 })),
  );
  return new Map(lists.flatMap(({ entities }) => entities.map((one) => [one.id, one.name])));
}

describe('with any mentions of items in any order', () => {
  test('every reference has a target, a provider has one id per entity, and an index equals what is shown', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (said) => {
        const library = await openMentionLibrary({}, 'music');
        try {
          const follow = createIndex(library);
          for (const [index, page] of said.entries()) {
            const items = page.map((one, at) => [`${index}-${at}`, one as Mentions] as const);
            await library.sayAll(items);
            check(await stateOf(library));
            await checkCounts(library);
            if (index % 2 === 0) await library.entityUpkeep.sweep();
            if (index % 2 === 0) await follow();
          }
          await library.entityUpkeep.sweep();
          const before = await stateOf(library);
          check(before);
          await library.drop('0-0');
          await checkCounts(library);
          await library.entityUpkeep.sweep();
          check(await stateOf(library));
          const shown = await shownEntities(library);
          expect(await follow()).toEqual(shown);
          expect(await createIndex(library)()).toEqual(shown);
        } finally {
          await library.close();
        }
      }),
      { numRuns: 20, endOnFailure: true },
    );
  }, 120_000);
});
