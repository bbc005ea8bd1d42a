import type { Database } from '../../kernel/index.ts';
import type { ReadItemPlayback } from '../library/index.ts';
import { readPlayback, toPlayback } from './playback-store.ts';

/** Tells, for a page of items, how far a profile is in each. */
export const createReadItemPlayback =
  ({ database }: { readonly database: Pick<Database, 'read'> }): ReadItemPlayback =>
  async (profileId, itemIds) => {
    const rows = await readPlayback(database.read, profileId, itemIds);
    return new Map(rows.map((row) => [row.item_id, toPlayback(row)]));
  };
