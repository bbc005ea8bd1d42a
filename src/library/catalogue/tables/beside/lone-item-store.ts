/**
 * Items that are the only ones in a folder with sidecars. Such an item is ingested again when another
 * one enters the folder, or the last other one leaves it: then the sidecars belong to it no longer,
 * or from now on.
 */
import type { Knex } from 'knex';
import { readAuxiliaryIn } from './auxiliary-store.ts';
import { folderOf } from '../file-uri.ts';
import { markItems } from '../pending-store.ts';
import { countedMedia, foldersWhere } from './shared-folder-store.ts';
import { foldersReaching, reachOf } from './sidecar-rule.ts';

const hasOlder = `exists (
  select 1 from files
  where files.library_no = ? and files.uri > asked.column2 and files.uri < asked.column3
    and ${countedMedia('files')} and files.created_at < ?
)`;

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
  const sidecars = await readAuxiliaryIn(trx, libraryNo, [...places].flatMap(foldersReaching));
  const spoken = new Set(sidecars.map(({ uri }) => reachOf(uri)).filter((one) => places.has(one)));
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
    .whereRaw(countedMedia('files'))
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
