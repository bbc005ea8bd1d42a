/**
 * Folders that hold media of several items. A sidecar that concerns its whole folder belongs to an
 * item only where that is the only item in the folder and below it; so an item is ingested again
 * when another item enters such a folder, or the last other item leaves it.
 */
import type { Knex } from 'knex';
import { readAuxiliaryIn } from './auxiliary-store.ts';
import { folderOf } from '../file-uri.ts';
import { markItems } from '../pending-store.ts';
import { inChunks } from '../rows.ts';
import { speaksForFolder } from './sidecar-rule.ts';

const foldersOfOneStatement = 200;

/** What counts in a folder: primary media of an item that is not missing, not extras. */
const counted = (file: string): string =>
  `${file}.type = 'media' and ${file}.classification = 'primary' and ${file}.status <> 'missing'
   and ${file}.item_no is not null`;

/** Those of these folders in or below which there is media of several items. */
export function findSharedFolders(
  db: Knex,
  libraryNo: number,
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  return foldersWhere(db, folders, { sql: hasAnother, bindings: [libraryNo, libraryNo] });
}

/** Both sides stop at the first matching row, also in large folders. */
const hasAnother = `exists (
  select 1 from files as other
  where other.library_no = ? and other.uri > asked.column2 and other.uri < asked.column3
    and ${counted('other')}
    and other.item_no <> (
      select own.item_no from files as own
      where own.library_no = ? and own.uri > asked.column2 and own.uri < asked.column3
        and ${counted('own')}
      order by own.uri limit 1
    )
)`;

const hasOlder = `exists (
  select 1 from files
  where files.library_no = ? and files.uri > asked.column2 and files.uri < asked.column3
    and ${counted('files')} and files.created_at < ?
)`;

/** Those of the folders for which a condition holds, in a few statements for all of them. */
async function foldersWhere(
  db: Knex,
  folders: readonly string[],
  condition: { readonly sql: string; readonly bindings: readonly number[] },
): Promise<ReadonlySet<string>> {
  const rows = await inChunks(
    folders.map((folder, tag) => ({ tag, folder })),
    async (group) => {
      const places = group.map(() => '(cast(? as integer), ?, ?)').join(', ');
      const bindings = group.flatMap(({ tag, folder }) => [tag, `${folder}/`, `${folder}0`]);
      const found: unknown = await db
        .with('asked', db.raw(`select * from (values ${places}) as listed`, bindings))
        .from('asked')
        .select({ tag: 'asked.column1' })
        .whereRaw(condition.sql, [...condition.bindings]);
      return found as { tag: number }[];
    },
    foldersOfOneStatement,
  );
  return new Set(rows.map(({ tag }) => folders[tag] ?? ''));
}

/** Media that arrived at some places and left others. */
export interface Traffic {
  readonly libraryNo: number;
  /** URIs of the library's roots, without a slash at the end. */
  readonly roots: readonly string[];
  readonly came: readonly { readonly uri: string; readonly itemNo: number }[];
  readonly went: readonly string[];
  /**
   * The time of this transaction, as its rows have it: folders with only such media need no marks.
   */
  readonly now: number;
}

/**
 * Marks items that were the only one of a folder with such sidecars and no longer are, or now are.
 */
export async function markLoneItems(trx: Knex.Transaction, traffic: Traffic): Promise<void> {
  const { libraryNo, came, went } = traffic;
  const places = foldersAbove([...came.map(({ uri }) => uri), ...went], traffic.roots);
  if (places.size === 0) return;
  const sidecars = await readAuxiliaryIn(trx, libraryNo, [...places]);
  const spoken = new Set(
    sidecars.filter(({ uri }) => speaksForFolder(uri)).map(({ folder }) => folder),
  );
  const older = { sql: hasOlder, bindings: [libraryNo, traffic.now] };
  const lone = new Set<number>();
  for (const folder of await foldersWhere(trx, [...spoken], older)) {
    const arrived = new Set(
      came.flatMap(({ uri, itemNo }) => (uri.startsWith(`${folder}/`) ? itemNo : [])),
    );
    const there = await readItemsBelow(trx, libraryNo, folder, arrived.size + 2);
    const others = there.filter((itemNo) => !arrived.has(itemNo));
    const [only] = others;
    if (only !== undefined && others.length === 1) lone.add(only);
  }
  await markItems(trx, [...lone]);
}

/** The first items with media below a folder, by their numbers. */
async function readItemsBelow(
  trx: Knex.Transaction,
  libraryNo: number,
  folder: string,
  limit: number,
): Promise<readonly number[]> {
  const rows = await trx('files')
    .where('library_no', libraryNo)
    .where('uri', '>', `${folder}/`)
    .where('uri', '<', `${folder}0`)
    .whereRaw(counted('files'))
    .distinct<{ item_no: number }[]>('item_no')
    .limit(limit);
  return rows.map(({ item_no }) => item_no);
}

/** The folders of these files and the folders above, below the roots. */
function foldersAbove(uris: readonly string[], roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const uri of uris) {
    const root = roots.find((one) => uri.startsWith(`${one}/`)) ?? '';
    for (let folder = folderOf(uri); folder.length > root.length; folder = folderOf(folder)) {
      if (found.has(folder)) break;
      found.add(folder);
    }
  }
  return found;
}
