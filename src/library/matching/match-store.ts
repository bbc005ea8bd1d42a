import type { Queries, Transaction } from '../../../kernel/storage/index.ts';
import { markItems } from '../catalogue/index.ts';
import { parseMatches, toMatchColumn, type Matches } from './match.ts';

interface MatchRow {
  readonly no: number;
  readonly match: string | null;
}

/** The matches of an item; undefined when the item does not exist. */
export async function readMatches(db: Queries, itemId: string): Promise<Matches | undefined> {
  const row = await db<MatchRow & { id: string }>('items').where('id', itemId).first('match');
  return row && parseMatches(row.match);
}

/**
 * Stores matches and queues the item for the ingest in the same transaction: a running ingest with
 * the earlier matches then finds the item changed and does not write its result.
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
