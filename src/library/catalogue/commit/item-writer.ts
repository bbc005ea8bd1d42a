import type { Transaction } from '../../../../kernel/store/index.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { moveLinks, touchLinked } from '../tables/entity-link-store.ts';
import { withEditedGenres } from '../entities/edited-genres.ts';
import { linkItems, type LinkParts } from '../entities/entity-links.ts';
import type { EntityNumbers } from '../entities/entity-registry.ts';
import { parseEdits } from '../items/item-values.ts';
import type { ItemEntry } from './item-unit-of-work.ts';
import { moveItemRows } from '../tables/item-move-store.ts';
import {
  buryItems,
  deleteItemRows,
  freeGroupKeys,
  saveItemRows,
  unburyItems,
} from '../tables/item-store.ts';
import { countItems } from '../tables/library-store.ts';
import { withoutEmptyColumns } from '../tables/rows.ts';

/** The event to emit for an item. */
export interface ItemEvent {
  readonly type: 'library.item.added' | 'library.item.updated' | 'library.item.removed';
  readonly itemId: string;
  readonly title: string;
}

type Parts = LinkParts;

/**
 * Stores the items of a page: sets the status that follows from its files, a number of the change
 * feed, its entities, and a tombstone if it went. Gives the events to emit.
 */
export async function writeItems(
  trx: Transaction,
  parts: Parts,
  page: {
    readonly libraryNo: number;
    readonly entries: readonly ItemEntry[];
    readonly now: number;
  },
): Promise<{
  readonly news: readonly ItemEvent[];
  readonly entityNumbers: EntityNumbers;
}> {
  const fresh = page.entries.filter((entry) => entry.before === null);
  const known = page.entries.filter((entry) => entry.before !== null && entry.isChanged);
  const merged = known.filter((entry) => entry.mergedInto !== null);
  const kept = known.filter((entry) => entry.mergedInto === null);

  const firstSeq = await takeNumbers(trx, known.length);
  for (const [index, entry] of known.entries()) {
    entry.row.seq = firstSeq + index;
    entry.row.updated_at = page.now;
    entry.row.status = entry.active > 0 ? 'active' : 'missing';
  }
  await mergeItems(trx, merged);
  const rekeyed = kept.filter((entry) => entry.hasNewKey);
  await freeGroupKeys(
    trx,
    rekeyed.map(({ row }) => row.no),
  );
  await saveItemRows(
    parts.insertRows,
    trx,
    kept.map(({ row }) => row),
  );
  await parts.insertRows(trx, 'items', withoutEmptyColumns(fresh.map(({ row }) => row)));
  await settleTombstones(trx, parts, known);
  const came = page.entries.filter(isArrival).length;
  const went = page.entries.filter(isDeparture).length;
  await countItems(trx, page.libraryNo, came - went);
  // A changed item may have other files, another year or another rating: sums of its entities change.
  await touchLinked(
    trx,
    known.map(({ row, mergedInto }) => (mergedInto ?? { row }).row.no),
  );
  const entityNumbers = await linkEntities(trx, parts, page.entries, page.now);
  return { news: page.entries.flatMap(newsOf), entityNumbers };
}

const isArrival = (entry: ItemEntry): boolean =>
  entry.before !== 'active' && entry.row.status === 'active';

const isDeparture = (entry: ItemEntry): boolean =>
  entry.before === 'active' && entry.row.status !== 'active';

function newsOf(entry: ItemEntry): readonly ItemEvent[] {
  const { id: itemId, title, status } = entry.row;
  if (isArrival(entry)) return [{ type: 'library.item.added', itemId, title }];
  if (isDeparture(entry)) return [{ type: 'library.item.removed', itemId, title }];
  const isUpdate = entry.isChanged && status === 'active';
  return isUpdate ? [{ type: 'library.item.updated', itemId, title }] : [];
}

async function mergeItems(trx: Transaction, merged: readonly ItemEntry[]): Promise<void> {
  const moves = merged.flatMap(({ row, mergedInto }) =>
    mergedInto === null ? [] : [{ from: row.no, to: mergedInto.row.no }],
  );
  await moveItemRows(trx, 'files', moves);
  await moveLinks(trx, moves);
  await deleteItemRows(
    trx,
    merged.map(({ row }) => row.no),
  );
}

async function settleTombstones(
  trx: Transaction,
  parts: Parts,
  known: readonly ItemEntry[],
): Promise<void> {
  const stones = known
    .filter(isDeparture)
    .map(({ row }) => ({ item_id: row.id, seq: Number(row.seq) }));
  await buryItems(parts.insertRows, trx, stones);
  await unburyItems(
    trx,
    known.filter(isArrival).map(({ row }) => row.id),
  );
}

/** Links items to what their values mention. */
async function linkEntities(
  trx: Transaction,
  parts: Parts,
  entries: readonly ItemEntry[],
  now: number,
): Promise<EntityNumbers> {
  const named = entries.flatMap(({ row, before, values }) => {
    if (values === null) return [];
    const mentions = withEditedGenres(values.mentions, parseEdits(row.edits).metadata);
    return [{ itemNo: row.no, libraryNo: row.library_no, isNew: before === null, mentions }];
  });
  return (await linkItems(trx, parts, named, now)).numbers;
}
