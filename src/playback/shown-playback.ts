import type { Database } from '../../kernel/index.ts';
import { toPlayback, type ReadItemPlayback, type SelectItemPlayback } from '../library/index.ts';
import { readPlayback } from './playback-store.ts';

/** Tells, for a page of items, how far a profile is in each. */
export const createReadItemPlayback =
  ({ database }: { readonly database: Pick<Database, 'read'> }): ReadItemPlayback =>
  async (profileId, itemIds) => {
    const rows = await readPlayback(database.read, profileId, itemIds);
    return new Map(rows.map((row) => [row.item_id, toPlayback(row)]));
  };

/** The same, for whoever reads the items in the same statement. */
export const selectItemPlayback: SelectItemPlayback = (profileId, members) => ({
  columns: {
    item_id: 'item_id',
    completed: 'completed',
    position: 'position',
    duration: 'duration',
  },
  from: `playback where profile_id = ? and item_id in ${members}`,
  bindings: [profileId],
});
