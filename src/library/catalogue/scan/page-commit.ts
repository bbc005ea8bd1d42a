/**
 * Writes one difference between the disk and the database, in the transaction it is given. After
 * every page, also when an earlier one was interrupted:
 *
 * - a file that is on the disk has one row, and an item is active exactly when it has media there;
 * - a group key is one item, so a repeated page finds everything present and adds nothing;
 * - a file that is gone keeps its row, so it gets its ids back when it returns, here or elsewhere;
 * - every change of an item takes a new number of the feed, every removal adds a tombstone.
 */
import { KernelError } from '../../../../kernel/index.ts';
import type { Transaction } from '../../../../kernel/store/index.ts';
import type { ScannedFile } from '../../../../plugin-api/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import type { LinkParts } from '../entities/entity-links.ts';
import type { EntityNumbers } from '../entities/entity-registry.ts';
import {
  countActive,
  deleteFileRows,
  markMissing,
  readFileRows,
  saveFileRows,
  type FileRow,
  type NewFileRow,
} from '../tables/file-store.ts';
import {
  createItemUnitOfWork,
  type ItemUnitOfWork,
  type ItemEntry,
} from '../commit/item-unit-of-work.ts';
import { fileColumnsOf } from '../commit/identification.ts';
import { writeItems, type ItemEvent } from '../commit/item-writer.ts';
import { readItemRows, readItemsByKey, type ItemRow } from '../tables/item-store.ts';
import { newFileRow, type Discovery } from './discovery.ts';
import { bringInAuxiliary } from './page-auxiliary.ts';
import { findArrivals, findDepartures } from './move-finder.ts';
import type { MoveEvidence } from './move-evidence.ts';
import { isPrimary, newItemRow } from '../items/item-values.ts';
import { updateLibrary, type LibraryRow } from '../tables/library-store.ts';
import { emptyCounts, type FoundAgain, type PageCounts, type PageDiff } from './page-diff.ts';
import { pendingAgain } from '../tables/pending-store.ts';
import { withoutEmptyColumns } from '../tables/rows.ts';

/** The change to write. */
export interface PageChange {
  readonly libraryNo: number;
  readonly diff: PageDiff;
  readonly discoveries: readonly Discovery[];
  readonly evidence: MoveEvidence;
  readonly now: number;
}

/** What was written. */
export interface PageOutcome {
  readonly counts: PageCounts;
  readonly news: readonly ItemEvent[];
  readonly entityNumbers: EntityNumbers;
}

export interface PageCommitParts extends LinkParts {
  readonly newId: NewId;
}

export async function commitPage(
  trx: Transaction,
  parts: PageCommitParts,
  change: PageChange,
): Promise<PageOutcome> {
  return new PageCommit(trx, parts, change).run();
}

class PageCommit {
  readonly #trx: Transaction;
  readonly #parts: PageCommitParts;
  readonly #change: PageChange;
  readonly #unitOfWork: ItemUnitOfWork = createItemUnitOfWork();
  readonly #counts: PageCounts;
  readonly #files = new Map<number, FileRow>();
  readonly #changedFiles = new Set<FileRow>();
  readonly #newFiles: NewFileRow[] = [];
  /** URIs that files moved away from. */
  readonly #left: string[] = [];
  #nextNo = 0;

  constructor(trx: Transaction, parts: PageCommitParts, change: PageChange) {
    this.#trx = trx;
    this.#parts = parts;
    this.#change = change;
    this.#counts = { ...emptyCounts(), unchanged: change.diff.unchanged };
  }

  async run(): Promise<PageOutcome> {
    const { discoveries, diff, libraryNo } = this.#change;
    const library = await this.#readLibrary();
    await this.#loadFiles([...diff.changed, ...diff.returned].map(({ known }) => known.no));
    await this.#loadFiles(diff.gone.map(({ no }) => no));
    await deleteFileRows(
      this.#trx,
      diff.replaced.map(({ no }) => no),
    );
    await this.#storeSightings();
    await this.#storeLosses(library);

    const { evidence } = this.#change;
    const cameBack =
      library.has_missed || diff.gone.length > 0
        ? await findDepartures(this.#trx, library, discoveries, evidence)
        : new Map<Discovery, number>();
    const found = new Set(cameBack.values());
    const stillGone = diff.gone.flatMap(({ no }) =>
      found.has(no) ? [] : (this.#files.get(no) ?? []),
    );
    const cameBefore = await findArrivals(this.#trx, library, stillGone, evidence);
    await this.#loadFiles([...cameBack.values(), ...[...cameBefore].flat()]);
    await this.#loadItems();

    for (const [arrival, departure] of cameBefore)
      this.#settleLateMove(library, arrival, departure);
    const auxiliary = diff.auxiliary.discovered.length;
    const firstNo = await takeNumbers(this.#trx, auxiliary + discoveries.length * 2);
    this.#nextNo = firstNo + auxiliary;
    for (const discovery of discoveries) this.#place(discovery, cameBack.get(discovery));

    await deleteFileRows(this.#trx, [...cameBefore.keys()]);
    await this.#parts.insertRows(this.#trx, 'files', withoutEmptyColumns(this.#newFiles));
    for (const file of this.#changedFiles)
      file.item_no = this.#ownerOf(file)?.row.no ?? file.item_no;
    await saveFileRows(this.#parts.insertRows, this.#trx, [...this.#changedFiles]);
    const written = await writeItems(this.#trx, this.#parts, {
      libraryNo,
      entries: this.#unitOfWork.entries(),
      now: this.#change.now,
    });
    await this.#storeAuxiliary(library, firstNo);
    return { counts: this.#counts, ...written };
  }

  async #readLibrary(): Promise<LibraryRow> {
    const row = await this.#trx<LibraryRow>('libraries')
      .where({ no: this.#change.libraryNo })
      .first();
    if (row === undefined) throw new KernelError('not_found', 'The library');
    return row;
  }

  /** Loads whole rows, each once, so that every step sees what earlier steps wrote. */
  async #loadFiles(numbers: readonly number[]): Promise<void> {
    const missing = numbers.filter((no) => !this.#files.has(no));
    for (const row of await readFileRows(this.#trx, missing)) this.#files.set(row.no, row);
  }

  /** Stores files at their old place whose content changed or that were missing. */
  async #storeSightings(): Promise<void> {
    const { changed, returned } = this.#change.diff;
    for (const sighting of changed) {
      this.#see(sighting);
      this.#counts.changed++;
    }
    for (const sighting of returned) {
      this.#see(sighting);
      this.#counts.added++;
    }
    await saveFileRows(this.#parts.insertRows, this.#trx, [...this.#changedFiles]);
    this.#changedFiles.clear();
  }

  #see({ known, scanned }: FoundAgain): void {
    const row = this.#files.get(known.no);
    if (row === undefined) return;
    const isOther =
      Number(row.size) !== scanned.size || Number(row.modified_at) !== scanned.modifiedAt;
    if (isOther) {
      Object.assign(row, { file_info: null, duration: null, fingerprint: null });
      row.ingest_error = null;
      row.ingest_state = pendingAgain(row.ingest_state);
    }
    this.#stamp(row, scanned);
  }

  #stamp(row: FileRow, scanned: ScannedFile): void {
    row.status = row.ingest_error === null ? 'active' : 'error';
    row.missed_at = null;
    row.size = scanned.size;
    row.modified_at = scanned.modifiedAt;
    row.updated_at = this.#change.now;
    this.#changedFiles.add(row);
  }

  async #storeLosses(library: LibraryRow): Promise<void> {
    const { gone } = this.#change.diff;
    this.#counts.gone += gone.length;
    if (gone.length === 0) return;
    await markMissing(
      this.#trx,
      gone.map(({ no }) => no),
      this.#change.now,
    );
    for (const { no } of gone) {
      const row = this.#files.get(no);
      if (row) Object.assign(row, { status: 'missing', missed_at: this.#change.now });
    }
    if (!library.has_missed) await updateLibrary(this.#trx, library.no, { has_missed: true });
  }

  /** Loads every item to which a file of this page belongs or will belong. */
  async #loadItems(): Promise<void> {
    const { libraryNo, discoveries } = this.#change;
    const keys = [...new Set(discoveries.map(({ identified }) => identified.groupKey))];
    const rows = new Map<number, ItemRow>();
    for (const row of await readItemsByKey(this.#trx, libraryNo, keys)) rows.set(row.no, row);
    const owners = new Set([...this.#files.values()].map((file) => file.item_no));
    const others = [...owners].filter((no): no is number => no !== null && !rows.has(no));
    for (const row of await readItemRows(this.#trx, others)) rows.set(row.no, row);
    const active = await countActive(this.#trx, [...rows.keys()]);
    for (const row of rows.values())
      this.#unitOfWork.open(row, row.status, active.get(row.no) ?? 0);
    for (const file of this.#files.values()) {
      const owner = this.#unitOfWork.byNumber(file.item_no);
      if (owner) owner.isChanged = true;
    }
  }

  /** Replaces the new file's row by the known one, and merges the new item into the known item. */
  #settleLateMove(library: LibraryRow, arrivalNo: number, departureNo: number): void {
    const arrival = this.#files.get(arrivalNo);
    const departure = this.#files.get(departureNo);
    const target = this.#ownerOf(arrival);
    if (!arrival || !departure || !target) return;
    const former = this.#ownerOf(departure);
    const isOfThisScan = target.row.no > Number(library.scan_after);
    const isSame = former && former !== target && former.active === 0 && isOfThisScan;
    if (isSame) this.#unitOfWork.merge(target, former);
    const { uri, classification, edition, part_number, size, modified_at } = arrival;
    this.#left.push(departure.uri);
    Object.assign(departure, { uri, classification, edition, part_number, size, modified_at });
    departure.item_no = (isSame ? former : target).row.no;
    departure.status = departure.ingest_error === null ? 'active' : 'error';
    departure.ingest_state = pendingAgain(departure.ingest_state);
    departure.missed_at = null;
    departure.updated_at = this.#change.now;
    target.isChanged = true;
    this.#changedFiles.add(departure);
    this.#changedFiles.delete(arrival);
    this.#counts.moved++;
    this.#counts.gone--;
  }

  /** Assigns a file to the item of its key, else to its former item, else to a new one. */
  #place(discovery: Discovery, departureNo: number | undefined): void {
    const { identified, known, scanned } = discovery;
    const { libraryNo, now } = this.#change;
    const departure = departureNo === undefined ? undefined : this.#files.get(departureNo);
    const entry = this.#entryFor(discovery, departure);
    const row = departure ?? (known === null ? undefined : this.#files.get(known.no));
    const isBack = entry.before !== null && entry.active === 0;
    if (isPrimary(identified.identification) && (isBack || !entry.row.is_named))
      this.#unitOfWork.setValues(entry, discovery.values);
    entry.active++;
    entry.isChanged = true;
    if (row === undefined) {
      const ids = { no: this.#nextNo++, id: this.#parts.newId(), itemNo: entry.row.no };
      const fingerprint = this.#change.evidence.fingerprints.get(scanned.uri) ?? null;
      this.#newFiles.push(newFileRow(discovery, { ...ids, libraryNo, fingerprint }, now));
      this.#counts.added++;
      return;
    }
    if (departure !== undefined) this.#left.push(departure.uri);
    const columns = fileColumnsOf(identified.identification);
    Object.assign(row, { uri: scanned.uri, ...columns, item_no: entry.row.no });
    row.ingest_state = pendingAgain(row.ingest_state);
    this.#stamp(row, scanned);
    if (departure === undefined) return;
    this.#counts.moved++;
    if (this.#change.diff.gone.some(({ no }) => no === departure.no)) this.#counts.gone--;
  }

  #entryFor(discovery: Discovery, departure: FileRow | undefined): ItemEntry {
    const { groupKey } = discovery.identified;
    const there = this.#unitOfWork.byKey(groupKey);
    if (there) return there;
    const former = this.#ownerOf(departure);
    if (former?.active === 0) {
      this.#unitOfWork.changeKey(former, groupKey);
      return former;
    }
    const { libraryNo, now } = this.#change;
    const ids = { no: this.#nextNo++, id: this.#parts.newId(), libraryNo, groupKey };
    const entry = this.#unitOfWork.open(newItemRow(ids, now), null, 0);
    this.#unitOfWork.setValues(entry, discovery.values);
    return entry;
  }

  async #storeAuxiliary(library: LibraryRow, firstNo: number): Promise<void> {
    const placed = [...this.#newFiles, ...this.#changedFiles];
    await bringInAuxiliary(this.#trx, this.#parts, {
      library,
      diff: this.#change.diff,
      placed: placed.flatMap(({ uri, item_no: itemNo }) =>
        itemNo === null ? [] : { uri, itemNo },
      ),
      left: this.#left,
      firstNo,
      now: this.#change.now,
    });
  }

  #ownerOf(file: FileRow | undefined): ItemEntry | undefined {
    const owner = this.#unitOfWork.byNumber(file?.item_no ?? null);
    return owner?.mergedInto ?? owner;
  }
}
