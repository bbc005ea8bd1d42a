import type { Knex } from 'knex';
import { leaveLibrary } from './entity-upkeep-store.ts';
import { dropReportsIn } from './probe-report-store.ts';
import { parseList, type BigNumber } from './rows.ts';
import { deleteGivenTexts } from './given-text-store.ts';
import { deletePictures } from './uploaded-picture-store.ts';

/** A row of `libraries`. */
export interface LibraryRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly name_key: string;
  readonly type: string;
  readonly roots: string;
  /** The folders to which links below its roots may lead, as a JSON list; null = none. */
  readonly links: string | null;
  readonly plugin_id: string | null;
  readonly hidden: boolean | number;
  readonly item_count: number;
  readonly scan_after: BigNumber | null;
  readonly scan_began_at: BigNumber | null;
  readonly has_missed: boolean | number;
  /** The problems of its roots: a JSON list, null = none. */
  readonly problems: string | null;
  /** What the last whole scan could not read below its roots, as JSON; null = nothing. */
  readonly unread_places: string | null;
  /** The volume on which each root was last complete, by URI. */
  readonly root_volumes: string | null;
  /** When each mount below its roots was last seen, by URI. */
  readonly mounts: string | null;
  /** What each plugin's last answer had its scans look for, by plugin id. */
  readonly sought: string | null;
  readonly is_watched: boolean | number;
  /** The media jobs that run for it at night, as a JSON list; null = all. */
  readonly media_jobs: string | null;
  /** Which source of metadata wins, as JSON; null = the usual order. */
  readonly sources: string | null;
  readonly last_scan_at: BigNumber | null;
  readonly created_at: BigNumber;
  readonly updated_at: BigNumber;
}

/** All libraries, in the order of their names. */
export async function readLibraries(db: Knex): Promise<LibraryRow[]> {
  return db<LibraryRow>('libraries').orderBy('name_key').select('*');
}

export async function findLibrary(db: Knex, id: string): Promise<LibraryRow | undefined> {
  return db<LibraryRow>('libraries').where({ id }).first();
}

export async function findLibraryByName(
  db: Knex,
  nameKey: string,
): Promise<LibraryRow | undefined> {
  return db<LibraryRow>('libraries').where({ name_key: nameKey }).first();
}

export async function insertLibrary(trx: Knex.Transaction, row: LibraryRow): Promise<void> {
  await trx<LibraryRow>('libraries').insert(row);
}

export async function updateLibrary(
  trx: Knex.Transaction,
  no: number,
  changes: Partial<Omit<LibraryRow, 'no' | 'id' | 'item_count'>>,
): Promise<void> {
  await trx<LibraryRow>('libraries').where({ no }).update(changes);
}

/** Changes the count by a difference, which is correct with concurrent writers. */
export async function countItems(
  trx: Knex.Transaction,
  no: number,
  difference: number,
): Promise<void> {
  if (difference === 0) return;
  await trx<LibraryRow>('libraries')
    .where({ no })
    .update({ item_count: trx.raw('item_count + ?', [difference]) });
}

/** An item as events about its removal name it. */
export interface NamedItem {
  readonly id: string;
  readonly title: string;
}

const itemsOfPage = 1000;

/** The items of a library that clients can see, a page at a time. */
export async function* pagesOfItems(
  trx: Knex.Transaction,
  libraryNo: number,
): AsyncGenerator<readonly NamedItem[]> {
  let after = 0;
  for (;;) {
    const rows = await trx<NamedItem & { no: number; library_no: number; status: string }>('items')
      .where('library_no', libraryNo)
      .where('status', 'active')
      .where('no', '>', after)
      .orderBy('no')
      .limit(itemsOfPage)
      .select('no', 'id', 'title');
    if (rows.length > 0) yield rows.map(({ id, title }) => ({ id, title }));
    if (rows.length < itemsOfPage) return;
    after = rows.at(-1)?.no ?? after;
  }
}

/** Deletes a library with all its rows. Files on the disk stay. */
export async function deleteLibrary(
  trx: Knex.Transaction,
  no: number,
  firstSeq: number,
): Promise<void> {
  await trx.raw(
    `insert into removed_items (item_id, seq)
     select id, cast(? as bigint) - 1 + row_number() over (order by no) from items
     where library_no = ? and status = 'active'`,
    [firstSeq, no],
  );
  await leaveLibrary(trx, no);
  const files = trx('files').where('library_no', no).select('no');
  const items = trx('items').where('library_no', no).select('no');
  await trx('chapters').whereIn('file_no', files).delete();
  await dropReportsIn(trx, no);
  await trx('files').where('library_no', no).delete();
  await trx('sealed_pages').where('library_no', no).delete();
  await trx('item_entities').whereIn('item_no', items.clone()).delete();
  await deletePictures(trx, items);
  await deleteGivenTexts(trx, items);
  await trx('split_links').whereIn('item_no', items.clone()).delete();
  await trx('items').where('library_no', no).delete();
  await trx('libraries').where({ no }).delete();
}

/** A folder to which links below one root of a library may lead as well, both as URIs. */
export type LinkFolder = Readonly<Record<'root' | 'folder', string>>;

/** The folders to which links below the roots of a library may lead. */
export function linksOf(row: Pick<LibraryRow, 'links'>): readonly LinkFolder[] {
  return parseList(row.links).filter(isLinkFolder);
}

const isLinkFolder = (value: unknown): value is LinkFolder =>
  typeof value === 'object' &&
  value !== null &&
  'root' in value &&
  typeof value.root === 'string' &&
  'folder' in value &&
  typeof value.folder === 'string';

/** The URIs of a library's roots, without a trailing slash. */
export function rootsOf(row: Pick<LibraryRow, 'roots'>): readonly string[] {
  return parseList(row.roots).filter((root) => typeof root === 'string');
}
