import type { Knex } from 'knex';
import type { Scope } from './access/index.ts';
import type { ChapterRow } from './extras-store.ts';
import { shownFileColumns, type FileRow, type ShownFileRow } from './file-store.ts';
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

/** Everything that belongs to some items. */
export interface ItemParts {
  readonly files: readonly ShownFileRow[];
  readonly links: readonly LinkedRow[];
  readonly chapters: readonly ChapterRow[];
}

/** Files of these items, as they are shown. */
export async function readFilesOf(
  db: Knex,
  itemNumbers: readonly number[],
  which: 'active' | 'all',
): Promise<readonly ShownFileRow[]> {
  const rows = await inChunks(itemNumbers, (group) => {
    const query = db<FileRow>('files').whereIn('item_no', group);
    if (which === 'active') void query.whereNot('status', 'missing');
    return query.select(...shownFileColumns);
  });
  return asShown(rows);
}

/**
 * The files that are shown with items: media part by part, then by URI, and behind it the texts that
 * go with it. Pictures and metadata beside media are no files of an item.
 */
export function asShown(rows: readonly ShownFileRow[]): readonly ShownFileRow[] {
  return rows
    .filter(({ type, uri }) => type === 'media' || isTimedText(uri))
    .sort(
      (a, b) =>
        Number(a.type !== 'media') - Number(b.type !== 'media') ||
        (a.part_number ?? 0) - (b.part_number ?? 0) ||
        (a.uri < b.uri ? -1 : 1),
    );
}

/** Entities of these items that show, in the order of their links. */
export async function readLinksOf(
  db: Knex,
  itemNumbers: readonly number[],
  { showsHidden }: Pick<Scope, 'showsHidden'>,
): Promise<LinkedRow[]> {
  return inChunks(itemNumbers, (group) => {
    const query = db('item_entities')
      .join('entities', 'entities.no', 'item_entities.entity_no')
      .whereIn('item_entities.item_no', group);
    if (!showsHidden) void query.where('entities.hidden', false);
    return query
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
  });
}

/** Chapters of those files that have any, in the order of time. */
export async function readChaptersOf(
  db: Knex,
  files: readonly Pick<ShownFileRow, 'no' | 'has_chapters'>[],
): Promise<ChapterRow[]> {
  const numbers = files.filter((file) => file.has_chapters).map((file) => file.no);
  return inChunks(numbers, (group) =>
    db<ChapterRow>('chapters')
      .whereIn('file_no', group)
      .orderBy(['file_no', 'start_time'])
      .select('*'),
  );
}

/** How far the media of an item is looked into; what is missing is not looked at. */
export async function readIngestOf(
  db: Knex,
  itemNo: number,
): Promise<Pick<FileRow, 'id' | 'ingest_state' | 'ingest_error' | 'file_info'>[]> {
  return db<FileRow>('files')
    .where({ item_no: itemNo, type: 'media' })
    .whereNot('status', 'missing')
    .orderBy('no')
    .select('id', 'ingest_state', 'ingest_error', 'file_info');
}
