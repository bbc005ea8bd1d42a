import type { Knex } from 'knex';
import {
  membersOf,
  readTogether,
  sameNames,
  toMembers,
  type Queries,
  type Selection,
  type SharedRows,
} from '../../../../kernel/store/index.ts';
import type { Scope } from '../access/index.ts';
import type { ChapterRow } from '../tables/extras-store.ts';
import { shownFileColumns, type FileRow, type ShownFileRow } from '../tables/file-store.ts';
import { isTimedText } from '../tables/file-uri.ts';
import { byPart } from '../tables/part-order.ts';
import type { Texts } from '../texts/item-texts.ts';
import type { ProfileStateRow, SelectItemPlayback } from './item-playback.ts';
import { inChunks } from '../tables/rows.ts';

/** A link with its entity. */
export interface LinkedRow {
  readonly item_no: number;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly texts: string | null;
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
  /** The playback states of the reading profile. */
  readonly played: readonly ProfileStateRow[];
  /** Texts in the language of the viewer, by the number of the item. */
  readonly texts: ReadonlyMap<number, Texts>;
}

/** For whom items are read. */
export interface ItemReader {
  readonly scope: Scope;
  readonly profileId: string;
  readonly selectPlayback: SelectItemPlayback;
}

/** The parts of items as they are read: in no order, and without chapters. */
export type PartRows = readonly [
  files: readonly ShownFileRow[],
  links: readonly LinkedRow[],
  played: readonly ProfileStateRow[],
];

const linkColumns: Readonly<Record<keyof LinkedRow, string>> = {
  item_no: 'link.item_no',
  role: 'link.role',
  sort_order: 'link.sort_order',
  metadata: 'link.metadata',
  id: 'entity.id',
  type: 'entity.type',
  name: 'entity.name',
  texts: 'entity.texts',
  assets: 'entity.assets',
  asset_aspects: 'entity.asset_aspects',
};

/** Which items a statement reads: active ones, or all. */
export type WhichItems = 'active' | 'all';

/** The items with these ids, shared by all lists of a statement; see `wantedNumbers`. */
export function wantedItems(db: Queries, ids: Iterable<string>, which: WhichItems): SharedRows {
  const status = which === 'active' ? "and status = 'active'" : '';
  return {
    name: 'wanted',
    sql: `select no, id from items where id in ${membersOf(db)} ${status}`,
    bindings: [toMembers(ids)],
  };
}

/** SQL for the numbers of the {@link wantedItems}. */
export const wantedNumbers = '(select no from wanted)';

/**
 * The files, links and playback states of the {@link wantedItems}, as lists of a statement; with
 * `active`, without missing files.
 */
export function partSelections(
  which: WhichItems,
  { scope, profileId, selectPlayback }: ItemReader,
): readonly [Selection<ShownFileRow>, Selection<LinkedRow>, Selection<ProfileStateRow>] {
  const ofItems = `item_no in ${wantedNumbers}`;
  return [
    {
      columns: sameNames(shownFileColumns),
      from: `files where ${ofItems} ${which === 'active' ? "and status <> 'missing'" : ''}`,
      bindings: [],
    },
    {
      columns: linkColumns,
      from: `item_entities as link join entities as entity on entity.no = link.entity_no
        where link.${ofItems} ${scope.showsHidden ? '' : 'and entity.hidden = 0'}`,
      bindings: [],
    },
    selectPlayback(profileId, '(select id from wanted)'),
  ];
}

/** Orders what was read, and reads the chapters if there are any. */
export async function withChapters(
  db: Queries,
  [files, links, played]: PartRows,
): Promise<Omit<ItemParts, 'texts'>> {
  const shown = asShown(files);
  const inOrder = links.toSorted((a, b) => a.sort_order - b.sort_order);
  return { files: shown, links: inOrder, chapters: await readChaptersOf(db, shown), played };
}

/**
 * The files that are shown with items, in the order of their parts; then files that are missing; then
 * subtitles and lyrics.
 * Pictures and metadata files beside media are not shown as files of an item.
 */
function asShown(rows: readonly ShownFileRow[]): readonly ShownFileRow[] {
  return rows
    .filter(({ type, uri }) => type === 'media' || isTimedText(uri))
    .sort(
      (a, b) =>
        Number(a.type !== 'media') - Number(b.type !== 'media') ||
        Number(a.status === 'missing') - Number(b.status === 'missing') ||
        byPart(a, b),
    );
}

/** Chapters of these files, in the order of time. */
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

/** The ingest state of a file. */
export type IngestedRow = Pick<
  FileRow,
  'no' | 'id' | 'ingest_state' | 'ingest_error' | 'file_info'
>;

/**
 * Reads all parts of one item, including missing files, and the ingest state of its media that is
 * not missing.
 */
export async function readPartsOf(
  db: Queries,
  id: string,
  reader: ItemReader,
): Promise<{ readonly parts: Omit<ItemParts, 'texts'>; readonly ingest: readonly IngestedRow[] }> {
  const [files, links, played, ingest] = await readTogether<
    [ShownFileRow, LinkedRow, ProfileStateRow, IngestedRow]
  >(
    db,
    [
      ...partSelections('all', reader),
      {
        columns: sameNames(['no', 'id', 'ingest_state', 'ingest_error', 'file_info']),
        from: `files where item_no in ${wantedNumbers} and type = 'media' and status <> 'missing'`,
        bindings: [],
      },
    ],
    wantedItems(db, [id], 'all'),
  );
  return {
    parts: await withChapters(db, [files, links, played]),
    ingest: ingest.toSorted((a, b) => a.no - b.no),
  };
}
