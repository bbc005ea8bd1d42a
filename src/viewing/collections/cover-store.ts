import type { Knex } from 'knex';
import { itemShows, type Scope } from '../../library/catalogue/access/index.ts';
import type { CollectionRow } from './collection-store.ts';
import { coverOf, type Cover } from './cover.ts';

interface CoverRow {
  readonly no: number;
  readonly pictures: string | null;
}

/**
 * Covers of collections, by their number: the picture of the chosen item, or of the first visible
 * item that has one. An item that the viewer may not see is not used, even if it was chosen.
 */
export async function readCovers(
  db: Knex,
  collections: readonly Pick<CollectionRow, 'no' | 'rule_entity_no'>[],
  scope: Scope,
): Promise<ReadonlyMap<number, Cover>> {
  const ofOne = (isKept: boolean): number[] =>
    collections.filter((one) => (one.rule_entity_no !== null) === isKept).map(({ no }) => no);
  const [own, kept] = [ofOne(false), ofOne(true)];
  const rows = await Promise.all([
    own.length === 0 ? [] : readOwn(db, own, scope),
    kept.length === 0 ? [] : readKept(db, kept, scope),
  ]);
  return new Map(
    rows.flat().flatMap(({ no, pictures }) => {
      const cover = pictures === null ? undefined : parseCover(pictures);
      return cover === undefined ? [] : [[no, cover] as const];
    }),
  );
}

/** Pictures and their aspects as one text, since a nested select gives one column. */
const pictures =
  "'[' || items.assets || ',' || coalesce(items.asset_aspects, '{}') || ']' as pictures";

function shownItems(db: Knex, scope: Scope): Knex.QueryBuilder {
  const { sql, bindings } = itemShows(db, scope);
  return db('items')
    .whereRaw("items.status = 'active'")
    .whereRaw(sql, bindings)
    .whereNotNull('items.assets')
    .limit(1)
    .select(db.raw(pictures));
}

function readOwn(db: Knex, numbers: readonly number[], scope: Scope): PromiseLike<CoverRow[]> {
  const members = (): Knex.QueryBuilder =>
    shownItems(db, scope)
      .join('collection_items', 'collection_items.item_id', 'items.id')
      .whereRaw('collection_items.collection_no = collections.no');
  const chosen = members().whereRaw('collection_items.item_id = collections.cover_item_id');
  const first = members().orderBy('collection_items.position');
  return db('collections')
    .whereIn('no', numbers)
    .select<CoverRow[]>('no', db.raw('coalesce((?), (?)) as pictures', [chosen, first]));
}

function readKept(db: Knex, numbers: readonly number[], scope: Scope): PromiseLike<CoverRow[]> {
  const any = shownItems(db, scope)
    .join('item_entities', 'item_entities.item_no', 'items.no')
    .whereRaw('item_entities.entity_no = collections.rule_entity_no');
  return db('collections')
    .whereIn('no', numbers)
    .select<CoverRow[]>('no', db.raw('(?) as pictures', [any]));
}

function parseCover(text: string): Cover | undefined {
  const [assets = {}, aspects = {}] = JSON.parse(text) as Readonly<Record<string, string>>[];
  return coverOf(assets, aspects);
}
