import type { Queries, Transaction } from '../../../kernel/store/index.ts';
import { markItems } from '../catalogue/index.ts';
import { needsLook, parseMatches, toMatchColumn, type Matches } from './match.ts';

interface MatchRow {
  readonly no: number;
  readonly match: string | null;
}

/** The matches of an item; undefined when the item does not exist. */
export async function readMatches(db: Queries, itemId: string): Promise<Matches | undefined> {
  const row = await db<MatchRow & { id: string }>('items').where('id', itemId).first('match');
  return row && parseMatches(row.match);
}

/** Roles by which items are parts of a whole that a catalogue lists. */
export const wholeRoles = ['show', 'album'];
const itemsAtOnce = 500;

/**
 * Changes the matches of an item and of all that belong to the same show or album in its library.
 * Gives their ids, that of the item first; none when it does not exist.
 *
 * The items are queued for the ingest in the same transaction: a running ingest with the earlier
 * matches then finds them changed and does not write its result.
 */
export async function changeMatches(
  trx: Transaction,
  itemId: string,
  change: (matches: Matches) => Matches,
): Promise<readonly string[]> {
  const own = await trx<WholeRow>('items')
    .where('id', itemId)
    .first('no', 'id', 'match', 'library_no');
  if (own === undefined) return [];
  const rows = [own, ...(await readOthers(trx, own))];
  for (const [before, some] of Map.groupBy(rows, ({ match }) => match)) {
    const after = change(parseMatches(before));
    const columns = { match: toMatchColumn(after), needs_look: Number(needsLook(after)) };
    for (const group of groupsOf(some.map(({ no }) => no)))
      await trx('items').whereIn('no', group).update(columns);
  }
  await markItems(
    trx,
    rows.map(({ no }) => no),
  );
  return rows.map(({ id }) => id);
}

interface WholeRow extends MatchRow {
  readonly id: string;
  readonly library_no: number;
}

/** The other items of the show or the album. */
function readOthers(trx: Transaction, { no, library_no }: WholeRow): Promise<readonly WholeRow[]> {
  const parts = trx('item_entities as own')
    .join('item_entities as part', (on) =>
      on.on('part.entity_no', 'own.entity_no').andOn('part.role', 'own.role'),
    )
    .where('own.item_no', no)
    .whereIn('own.role', wholeRoles)
    .whereNot('part.item_no', no)
    .select('part.item_no');
  return trx<WholeRow>('items')
    .whereIn('no', parts)
    .where({ library_no })
    .orderBy('no')
    .select('no', 'id', 'match', 'library_no');
}

function groupsOf(numbers: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(numbers.length / itemsAtOnce);
  return Array.from({ length: count }, (_, at) =>
    numbers.slice(at * itemsAtOnce, (at + 1) * itemsAtOnce),
  );
}
