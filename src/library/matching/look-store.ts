/** The items about which a person should say what they are. */
import type { Queries } from '../../../kernel/store/index.ts';
import { wholeRoles } from './match-store.ts';

const waits = `items.needs_look = 1 and items.status = 'active'`;

/** An item that waits for a person, and stands for its whole show or album. */
export interface LookRow {
  readonly no: number;
  readonly id: string;
  readonly library_id: string;
  readonly match: string | null;
}

/** The first waiting item of each show and album, and all others, by number. */
export function readLooks(
  db: Queries,
  page: {
    readonly libraryIds: readonly string[];
    readonly after: number;
    readonly limit: number;
  },
): Promise<readonly LookRow[]> {
  return db('items')
    .join('libraries', 'libraries.no', 'items.library_no')
    .whereIn('libraries.id', [...page.libraryIds])
    .where('items.no', '>', page.after)
    .whereRaw(waits)
    .whereNotExists(
      partsOf(db, 'items.no')
        .whereRaw('part.item_no < items.no')
        .whereRaw('sibling.library_no = items.library_no')
        .select(db.raw('1')),
    )
    .orderBy('items.no')
    .limit(page.limit)
    .select<LookRow[]>('items.no', 'items.id', 'libraries.id as library_id', 'items.match');
}

/** How many waiting items each of these stands for, itself included. */
export async function countParts(
  db: Queries,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await partsOf(db)
    .join('items as first', 'first.no', 'own.item_no')
    .whereIn('own.item_no', [...numbers])
    .whereRaw('sibling.library_no = first.library_no')
    .groupBy('own.item_no')
    .select<{ no: number; count: number | string }[]>(
      'own.item_no as no',
      db.raw('count(distinct part.item_no) as count'),
    );
  return new Map(rows.map(({ no, count }) => [no, Number(count)]));
}

/** How many items of a library wait. */
export async function countLooks(db: Queries, libraryId: string): Promise<number> {
  const [row] = await db('items')
    .join('libraries', 'libraries.no', 'items.library_no')
    .where('libraries.id', libraryId)
    .whereRaw(waits)
    .count<{ count: number | string }[]>('* as count');
  return Number(row?.count ?? 0);
}

/** Waiting items (`sibling`) of the shows and albums of an item (`own`). */
function partsOf(db: Queries, itemNo?: string) {
  const parts = db('item_entities as own')
    .join('item_entities as part', (on) =>
      on.on('part.entity_no', 'own.entity_no').andOn('part.role', 'own.role'),
    )
    .join('items as sibling', 'sibling.no', 'part.item_no')
    .whereIn('own.role', wholeRoles)
    .whereRaw(`sibling.needs_look = 1 and sibling.status = 'active'`);
  return itemNo === undefined ? parts : parts.whereRaw(`own.item_no = ${itemNo}`);
}
