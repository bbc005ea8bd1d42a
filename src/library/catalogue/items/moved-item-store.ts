/** Items whose files went to another library of the same type. */
import type { Knex } from 'knex';

/** An item that is missing, and the one that has the same content now. By id. */
export interface MovedItem {
  readonly from: string;
  readonly to: string;
}

/** A file of an item that is missing, with its content. */
export interface GoneFile {
  readonly item_id: string;
  readonly size: number | string;
  /** The sampled hash. */
  readonly fingerprint: string;
  readonly library_no: number;
  readonly library_type: string;
}

const mostGone = 10_000;

/** Files of items that went missing since a time, in Unix milliseconds: the 10,000 latest. */
export async function readGone(db: Knex, since: number): Promise<readonly GoneFile[]> {
  return db('files')
    .join('items', 'items.no', 'files.item_no')
    .join('libraries', 'libraries.no', 'files.library_no')
    .where({ 'files.status': 'missing', 'files.type': 'media', 'items.status': 'missing' })
    .where('files.classification', 'primary')
    .where('files.missed_at', '>=', since)
    .where('files.size', '>', 0)
    .whereNotNull('files.fingerprint')
    .orderBy('files.missed_at', 'desc')
    .limit(mostGone)
    .select<GoneFile[]>(
      'items.id as item_id',
      'files.size',
      'files.fingerprint',
      'libraries.no as library_no',
      'libraries.type as library_type',
    );
}

/**
 * The items that have the content of these files now. Where several items have it there is no pair, since
 * a wrong one would give one film the history of another.
 */
export async function findMovedItems(
  db: Knex,
  gone: readonly GoneFile[],
): Promise<readonly MovedItem[]> {
  const libraries = await db('libraries').select<{ no: number; type: string }[]>('no', 'type');
  const found = new Map<string, string[]>();
  for (const file of gone) {
    const others = libraries.filter(
      ({ no, type }) => type === file.library_type && no !== file.library_no,
    );
    const numbers = others.map(({ no }) => no);
    const known = found.get(file.item_id) ?? [];
    found.set(file.item_id, [...known, ...(await arrivalsOf(db, file, numbers))]);
  }
  return [...found].flatMap(([from, ids]) => {
    const [to, another] = new Set(ids);
    return to === undefined || another !== undefined ? [] : [{ from, to }];
  });
}

/** At most two, so that many copies of one file cost no more. */
async function arrivalsOf(
  db: Knex,
  { size, fingerprint }: GoneFile,
  libraryNumbers: readonly number[],
): Promise<readonly string[]> {
  return db('files')
    .join('items', 'items.no', 'files.item_no')
    .whereIn('files.library_no', [...libraryNumbers])
    .where({ 'files.size': size, 'files.fingerprint': fingerprint })
    .where({ 'files.type': 'media', 'files.classification': 'primary', 'items.status': 'active' })
    .whereNot('files.status', 'missing')
    .distinct()
    .limit(2)
    .pluck<string[]>('items.id');
}
