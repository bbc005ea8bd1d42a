/**
 * Brings in the files beside media, after the media of the same page. Each has a row, which is
 * deleted when it is gone, and makes no item. The media that they concern wait for the ingest again,
 * which says to which item they belong.
 */
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { findItemsBeside, type NewAuxiliaryRow } from '../tables/beside/auxiliary-store.ts';
import { deleteFileRows, readFileRows, saveFileRows } from '../tables/file-store.ts';
import { folderOf } from '../tables/file-uri.ts';
import { rootsOf, type LibraryRow } from '../tables/library-store.ts';
import type { FoundAgain, PageDiff } from './page-diff.ts';
import { markConcerned, markItems } from '../tables/pending-store.ts';
import { markLoneItems } from '../tables/beside/lone-item-store.ts';
import { reachOf } from '../tables/beside/sidecar-rule.ts';

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
  const { library, diff } = change;
  const { discovered, changed, gone } = diff.auxiliary;
  await deleteFileRows(
    trx,
    gone.map(({ no }) => no),
  );
  await saveChanged(trx, parts, changed, change.now);
  await markFormerOwners(trx, change);
  if (discovered.length > 0) {
    const rows = discovered.map(({ uri, size, modifiedAt }, index): NewAuxiliaryRow => ({
      no: change.firstNo + index,
      id: parts.newId(),
      library_no: library.no,
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
 * Items that have files which are named after media that arrived: those may belong to the items of
 * that from now on.
 */
async function markFormerOwners(trx: Transaction, change: AuxiliaryChange): Promise<void> {
  const placed = change.placed.filter(({ uri }) => hasOlder(change, uri));
  if (placed.length === 0) return;
  const own = new Set(placed.map(({ itemNo }) => itemNo));
  const uris = placed.map(({ uri }) => uri);
  const items = await findItemsBeside(trx, change.library.no, uris);
  await markItems(
    trx,
    items.filter((itemNo) => !own.has(itemNo)),
  );
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
