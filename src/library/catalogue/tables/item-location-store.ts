import type { Queries } from '../../../../kernel/store/index.ts';
import { inChunks } from './rows.ts';

/** A file of an item, or an item without files. */
export interface ItemLocationRow {
  readonly id: string;
  readonly library_id: string;
  readonly uri: string | null;
}

/** All files of these items, in any status. */
export async function readItemLocations(
  db: Queries,
  itemIds: readonly string[],
): Promise<ItemLocationRow[]> {
  return inChunks(itemIds, (group) =>
    db('items')
      .join('libraries', 'libraries.no', 'items.library_no')
      .leftJoin('files', 'files.item_no', 'items.no')
      .whereIn('items.id', group)
      .select<ItemLocationRow[]>('items.id', 'libraries.id as library_id', 'files.uri'),
  );
}
