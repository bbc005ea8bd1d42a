/**
 * Brings in the files beside media, after the media of the same page. Each has a row and belongs to
 * the item of the media file after which it is named, in either order of arrival. It makes no item,
 * and its row is deleted when it is gone. The media that they concern wait for the ingest again.
 */
import type { Database, Transaction } from '../../../../kernel/storage/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import {
  adopt,
  findNamesakes,
  findOrphansOf,
  orphan,
  type NewAuxiliaryRow,
} from '../tables/beside/auxiliary-store.ts';
import { deleteFileRows, readFileRows, saveFileRows } from '../tables/file-store.ts';
import { folderOf } from '../tables/file-uri.ts';
import { rootsOf, type LibraryRow } from '../tables/library-store.ts';
import type { FoundAgain, PageDiff } from './page-diff.ts';
import { markConcerned } from '../tables/pending-store.ts';
import { markLoneItems } from '../tables/beside/shared-folder-store.ts';
import { reachOf } from '../tables/beside/sidecar-rule.ts';
import { stemOfUri, stemsBefore } from '../tables/beside/basename-match.ts';

/** A media file of the page, with its item. */
export interface PlacedMedia {
  readonly uri: string;
  readonly itemNo: number;
}

export interface AuxiliaryChange {
  readonly library: LibraryRow;
  readonly diff: PageDiff;
  /** Media that arrived or moved. */
  readonly placed: readonly PlacedMedia[];
  /** URIs that media moved away from. */
  readonly left: readonly string[];
  /** The first of the numbers reserved for the new auxiliary files of the page. */
  readonly firstNo: number;
  readonly now: number;
}

interface Parts {
  readonly insertRows: Database['insertRows'];
  readonly newId: NewId;
}

export async function bringInAuxiliary(
  trx: Transaction,
  parts: Parts,
  change: AuxiliaryChange,
): Promise<void> {
  const { library, diff, left } = change;
  const { discovered, changed, gone } = diff.auxiliary;
  await deleteFileRows(
    trx,
    gone.map(({ no }) => no),
  );
  await saveChanged(trx, parts, changed, change.now);
  if (left.length > 0) await orphan(trx, library.no, left);
  await adoptOrphans(trx, change);
  const owners = await ownersOf(trx, change);
  if (discovered.length > 0) {
    const rows = discovered.map(({ uri, size, modifiedAt }, index): NewAuxiliaryRow => ({
      no: change.firstNo + index,
      id: parts.newId(),
      library_no: library.no,
      item_no: owners.get(uri) ?? null,
      uri,
      classification: 'companion',
      type: 'auxiliary',
      status: 'active',
      size,
      modified_at: modifiedAt,
      folder: folderOf(uri),
      created_at: change.now,
      updated_at: change.now,
    }));
    await parts.insertRows(
      trx,
      'files',
      rows.map((row) => ({ ...row })),
    );
  }
  const found = [...discovered, ...changed.map(({ scanned }) => scanned), ...gone];
  await markConcerned(trx, {
    libraryNo: library.no,
    roots: rootsOf(library),
    sidecarUris: found.map(({ uri }) => uri).filter((uri) => hasOlderIn(change, reachOf(uri))),
    now: change.now,
  });
  await markNeighbours(trx, change);
}

/** Items that were the only ones in a folder with shared sidecars and no longer are, or now are. */
async function markNeighbours(trx: Transaction, change: AuxiliaryChange): Promise<void> {
  const { library, diff, placed, left } = change;
  const returned = diff.returned.flatMap(({ known: { uri, itemNo } }) =>
    itemNo === null ? [] : [{ uri, itemNo }],
  );
  await markLoneItems(trx, {
    libraryNo: library.no,
    roots: rootsOf(library),
    came: [...placed, ...returned].filter(({ uri }) => hasOlder(change, uri)),
    went: [...left, ...diff.gone.map(({ uri }) => uri)],
    now: change.now,
  });
}

async function saveChanged(
  trx: Transaction,
  { insertRows }: Parts,
  changed: readonly FoundAgain[],
  now: number,
): Promise<void> {
  if (changed.length === 0) return;
  const seen = new Map(changed.map(({ known, scanned }) => [known.no, scanned]));
  const rows = await readFileRows(trx, [...seen.keys()]);
  for (const row of rows) {
    const scanned = seen.get(row.no);
    if (!scanned) continue;
    Object.assign(row, { size: scanned.size, modified_at: scanned.modifiedAt, updated_at: now });
  }
  await saveFileRows(insertRows, trx, rows);
}

/**
 * Auxiliary files that arrived in an earlier page or scan than the media after which they are
 * named.
 */
async function adoptOrphans(trx: Transaction, change: AuxiliaryChange): Promise<void> {
  const placed = change.placed.filter(({ uri }) => hasOlder(change, uri));
  if (placed.length === 0) return;
  const byStem = new Map(placed.map(({ uri, itemNo }) => [stemOfUri(uri), itemNo]));
  const uris = placed.map(({ uri }) => uri);
  const byItem = new Map<number, number[]>();
  for (const { no, uri } of await findOrphansOf(trx, change.library.no, uris)) {
    const itemNo = ownerIn(byStem, uri);
    if (itemNo !== undefined) byItem.set(itemNo, [...(byItem.get(itemNo) ?? []), no]);
  }
  for (const [itemNo, numbers] of byItem) await adopt(trx, itemNo, numbers);
}

/** The items of the new files: of media of this page, or of media that was known. */
async function ownersOf(
  trx: Transaction,
  change: AuxiliaryChange,
): Promise<ReadonlyMap<string, number>> {
  const { diff, library, placed } = change;
  const byStem = new Map(placed.map(({ uri, itemNo }) => [stemOfUri(uri), itemNo]));
  const owners = new Map<string, number>();
  const open: string[] = [];
  for (const { uri } of diff.auxiliary.discovered) {
    const itemNo = ownerIn(byStem, uri);
    if (itemNo !== undefined) owners.set(uri, itemNo);
    else if (hasOlder(change, uri)) open.push(uri);
  }
  for (const [uri, itemNo] of await findNamesakes(trx, library.no, open)) owners.set(uri, itemNo);
  return owners;
}

/** Whether the folder of the file may contain known files that are not new in this page. */
const hasOlder = (change: AuxiliaryChange, uri: string): boolean =>
  hasOlderIn(change, folderOf(uri));

/**
 * Whether a folder may contain known files, at any depth, that are not new in this page: if some
 * were known, or if the folder extends beyond the page. So a first scan does almost no lookups.
 */
function hasOlderIn({ diff }: AuxiliaryChange, folder: string): boolean {
  const inside = `${folder}/`;
  const { after, through } = diff.range;
  return diff.known > 0 || after.startsWith(inside) || through.startsWith(inside);
}

function ownerIn(byStem: ReadonlyMap<string, number>, uri: string): number | undefined {
  for (const stem of stemsBefore(uri)) {
    const itemNo = byStem.get(stem);
    if (itemNo !== undefined) return itemNo;
  }
  return undefined;
}
