import type { Queries, Transaction } from '../../kernel/index.ts';
import { markItems } from '../library/index.ts';
import { parseMatches, toMatchColumn, type Matches } from './match.ts';

interface MatchRow {
  readonly no: number;
  readonly match: string | null;
}

/** What an item was matched to; undefined when there is no such item. */
export async function readMatches(db: Queries, itemId: string): Promise<Matches | undefined> {
  const row = await db<MatchRow & { id: string }>('items').where('id', itemId).first('match');
  return row && parseMatches(row.match);
}

/**
 * Writes what an item is matched to, and has the item wait for the ingest in the same transaction: an
 * ingest that is under way with what was there before finds the item changed, and writes nothing of it.
 */
export async function changeMatches(
  trx: Transaction,
  itemId: string,
  change: (matches: Matches) => Matches,
): Promise<Matches | undefined> {
  const row = await trx<MatchRow & { id: string }>('items')
    .where('id', itemId)
    .first('no', 'match');
  if (row === undefined) return undefined;
  const matches = change(parseMatches(row.match));
  await trx('items')
    .where('no', row.no)
    .update({ match: toMatchColumn(matches) });
  await markItems(trx, [row.no]);
  return matches;
}
