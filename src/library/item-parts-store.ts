import type { Knex } from 'knex';
import type { ChapterRow } from './extras-store.ts';
import type { FileRow } from './file-store.ts';
import { isTimedText } from './file-uri.ts';
import { inChunks } from './rows.ts';

/** A link with the entity at its end. */
export interface LinkedRow {
  readonly item_no: number;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly role: string;
  readonly sort_order: number;
  readonly metadata: string | null;
  readonly assets: string | null;
  readonly asset_aspects: string | null;
}

/** Some items: by their numbers, or by their ids where the numbers are not known yet. */
export type SomeItems =
  { readonly numbers: readonly number[] } | { readonly ids: readonly string[] };

/** Asks for some items in groups that a statement can hold. */
function inGroups<Row>(
  items: SomeItems,
  ask: (group: SomeItems) => PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  return 'numbers' in items
    ? inChunks(items.numbers, (numbers) => ask({ numbers }))
    : inChunks(items.ids, (ids) => ask({ ids }));
}

function restrict(db: Knex, query: Knex.QueryBuilder, column: string, items: SomeItems): void {
  if ('numbers' in items) void query.whereIn(column, items.numbers);
  else void query.whereIn(column, db('items').whereIn('id', items.ids).select('no'));
}

/**
 * Files of these items: media part by part, then by URI, and behind it the texts that are shown with
 * it. Pictures and metadata beside media are no files of an item.
 */
export async function readFilesOf(
  db: Knex,
  items: SomeItems,
  which: 'active' | 'all',
): Promise<FileRow[]> {
  const rows = await inGroups(items, (group) => {
    const query = db<FileRow>('files');
    restrict(db, query, 'item_no', group);
    if (which === 'active') void query.whereNot('status', 'missing');
    return query.orderByRaw('item_no, type desc, coalesce(part_number, 0), uri').select('*');
  });
  return rows.filter(({ type, uri }) => type === 'media' || isTimedText(uri));
}

/** Visible entities of these items, in the order of their links. */
export async function readLinksOf(db: Knex, items: SomeItems): Promise<LinkedRow[]> {
  return inGroups(items, (group) => {
    const query = db('item_entities')
      .join('entities', 'entities.no', 'item_entities.entity_no')
      .where('entities.hidden', false)
      .orderBy(['item_entities.item_no', 'item_entities.sort_order'])
      .select<LinkedRow[]>(
        'item_entities.item_no',
        'item_entities.role',
        'item_entities.sort_order',
        'item_entities.metadata',
        'entities.id',
        'entities.type',
        'entities.name',
        'entities.assets',
        'entities.asset_aspects',
      );
    restrict(db, query, 'item_entities.item_no', group);
    return query;
  });
}

/** Chapters of those files that have any, in the order of time. */
export async function readChaptersOf(
  db: Knex,
  files: readonly Pick<FileRow, 'no' | 'has_chapters'>[],
): Promise<ChapterRow[]> {
  const numbers = files.filter((file) => file.has_chapters).map((file) => file.no);
  return inChunks(numbers, (group) =>
    db<ChapterRow>('chapters')
      .whereIn('file_no', group)
      .orderBy(['file_no', 'start_time'])
      .select('*'),
  );
}
