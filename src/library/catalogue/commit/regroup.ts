/**
 * Groups the files of a library again, since the plugins that read names and group files may say it
 * better than before. After it:
 *
 * - a file belongs to the item of its key; a file that the plugins do not know now stays where it is;
 * - an item keeps its id, its edits and its history as long as a file of it is left, under another key
 *   if need be; one whose files all belong to another item is merged into that, with its history;
 * - what changed waits for the ingest. It is safe to repeat.
 */
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import type { EntityRegistry } from '../entities/entity-registry.ts';
import { createValueReader, isPrimary, newItemRow } from '../items/item-values.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import {
  countActive,
  readFileRows,
  readNamesOfItems,
  saveFileRows,
  type FileName,
  type FileRow,
} from '../tables/file-store.ts';
import { relativePath } from '../tables/file-uri.ts';
import type { EmitLibraryEvent } from '../tables/library-events.ts';
import { readItemNumbers, readItemRows, readItemsByKey } from '../tables/item-store.ts';
import { rootsOf, type LibraryRow } from '../tables/library-store.ts';
import { pendingAgain } from '../tables/pending-store.ts';
import { readFilesOnDiscs, readLivePhotosAmong } from '../tables/probe-report-store.ts';
import { fileColumnsOf } from './identification.ts';
import type { IdentifiedFile, Identifier } from './identifier.ts';
import { createItemUnitOfWork, type ItemEntry, type ItemUnitOfWork } from './item-unit-of-work.ts';
import { writeItems } from './item-writer.ts';

/** Two items of which one was merged into the other. By id. */
export interface JoinedItem {
  readonly from: string;
  readonly to: string;
}

export interface RegroupParts {
  readonly database: Database;
  readonly identifier: Pick<Identifier, 'recognize'>;
  readonly entities: EntityRegistry;
  readonly newId: NewId;
  readonly now: () => number;
  readonly emit: EmitLibraryEvent;
  /** Keeps what other parts store of an item that is merged into another one. */
  readonly joined?: ((trx: Transaction, pair: JoinedItem) => Promise<void>) | undefined;
}

/**
 * Groups the files of some items with numbers above `after`. Gives the number of the last of them; null
 * when there are none.
 */
export type Regroup = (
  library: LibraryRow,
  page: { readonly after: number; readonly limit: number },
) => Promise<number | null>;

/** A file with what the plugins say of it now; null = they do not know it. */
interface ReadFile {
  readonly file: FileName;
  readonly said: IdentifiedFile | null;
}

export function createRegroup(parts: RegroupParts): Regroup {
  const { database, identifier, entities, emit, now } = parts;
  const { read, write, insertRows } = database;

  async function readNames(
    library: LibraryRow,
    itemNumbers: readonly number[],
  ): Promise<readonly ReadFile[]> {
    const files = await readNamesOfItems(read, itemNumbers);
    const roots = rootsOf(library);
    const asked = files.map(({ uri, size }) => ({
      path: relativePath(roots.find((root) => uri.startsWith(`${root}/`)) ?? '', uri),
      size: Number(size),
    }));
    const said = await identifier.recognize(library, asked);
    const all = files.map((file, at): ReadFile => ({ file, said: said[at] ?? null }));
    const others = all.filter(isOfAnother).map(({ file }) => file.no);
    // What the files themselves say counts more than their names.
    const paired = await readLivePhotosAmong(read, others);
    return all.map((one) => (paired.has(one.file.no) ? { ...one, said: null } : one));
  }

  /** The names of these items, and of those that hold a key which a file of them has now. */
  async function readGroups(
    library: LibraryRow,
    itemNumbers: readonly number[],
  ): Promise<readonly ReadFile[]> {
    const known = new Set(itemNumbers);
    const all: ReadFile[] = [];
    for (let next = itemNumbers; next.length > 0;) {
      const named = await readNames(library, next);
      all.push(...named);
      const keys = new Set(named.filter(isOfAnother).map(({ said }) => said?.groupKey ?? ''));
      const owners = await readItemsByKey(read, library.no, [...keys]);
      next = owners.map(({ no }) => no).filter((no) => !known.has(no));
      for (const no of next) known.add(no);
    }
    return all;
  }

  return async (library, { after, limit }) => {
    const numbers = await readItemNumbers(read, library.no, { after, limit });
    const last = numbers.at(-1);
    if (last === undefined) return null;
    const files = await readGroups(library, numbers);
    if (!files.some((file) => isOfAnother(file) || isPlacedOtherwise(file))) return last;
    const onDiscs = await readFilesOnDiscs(
      read,
      files.filter(isPlacedOtherwise).map(({ file }) => file.no),
    );
    const { news, entityNumbers } = await write(async (trx) => {
      const change = { library, files, onDiscs, now: now() };
      return new RegroupCommit(trx, { ...parts, insertRows }, change).run();
    });
    entities.learn(entityNumbers);
    for (const { type, itemId, title } of news)
      emit(type, { itemId, libraryId: library.id, title });
    return last;
  };
}

const isOfAnother = ({ file, said }: ReadFile): boolean =>
  said !== null && said.groupKey !== file.group_key;

const isPlacedOtherwise = ({ file, said }: ReadFile): boolean => {
  if (said === null) return false;
  const columns = fileColumnsOf(said.identification);
  // The film of a live photo is a companion because of the photo, not by its name.
  if (file.classification === 'companion') return false;
  return (
    file.classification !== columns.classification ||
    file.edition !== columns.edition ||
    file.part_number !== columns.part_number
  );
};

interface RegroupChange {
  readonly library: LibraryRow;
  readonly files: readonly ReadFile[];
  /** Files of which the probe says what they are on their disc. */
  readonly onDiscs: ReadonlySet<number>;
  readonly now: number;
}

/** A file of an item; `said` as in `ReadFile`. */
interface OwnFile {
  readonly row: FileRow;
  readonly said: IdentifiedFile | null;
}

class RegroupCommit {
  readonly #trx: Transaction;
  readonly #parts: CommitParts;
  readonly #change: RegroupChange;
  readonly #unitOfWork: ItemUnitOfWork = createItemUnitOfWork();
  readonly #changedFiles = new Set<FileRow>();
  readonly #valuesOf = createValueReader();
  #nextNo = 0;

  constructor(trx: Transaction, parts: CommitParts, change: RegroupChange) {
    this.#trx = trx;
    this.#parts = parts;
    this.#change = change;
  }

  async run(): ReturnType<typeof writeItems> {
    const byItem = Map.groupBy(await this.#readCurrent(), ({ row }) => row.item_no);
    await this.#openItems([...byItem.values()].flat());
    const others = [...byItem].flatMap(([no, own]) => {
      const entry = this.#unitOfWork.byNumber(no);
      const { group_key: key } = entry?.row ?? {};
      return entry && own.some(({ said }) => said && said.groupKey !== key) ? [{ entry, own }] : [];
    });
    // Who gives up its key does so first: then an item with a key has a file of it.
    for (const { entry, own } of others)
      if (!own.some(({ said }) => said === null || said.groupKey === entry.row.group_key))
        this.#unitOfWork.changeKey(entry, withoutKey(entry));
    const most = others.reduce((sum, { own }) => sum + own.length, 0);
    this.#nextNo = await takeNumbers(this.#trx, most);
    for (const { entry, own } of others) await this.#separate(entry, own);
    await saveFileRows(this.#parts.insertRows, this.#trx, [...this.#changedFiles]);
    return writeItems(this.#trx, this.#parts, {
      libraryNo: this.#change.library.no,
      entries: this.#unitOfWork.entries(),
      now: this.#change.now,
    });
  }

  /** The files that are still where they were when their names were read, in their new places. */
  async #readCurrent(): Promise<readonly OwnFile[]> {
    const { files, onDiscs } = this.#change;
    const rows = await readFileRows(
      this.#trx,
      files.map(({ file }) => file.no),
    );
    const byNumber = new Map(rows.map((row) => [row.no, row]));
    return files.flatMap((read) => {
      const { file, said } = read;
      const row = byNumber.get(file.no);
      if (row === undefined || row.item_no !== file.item_no || row.uri !== file.uri) return [];
      if (said !== null && isPlacedOtherwise(read) && !onDiscs.has(row.no)) {
        Object.assign(row, fileColumnsOf(said.identification));
        this.#changedFiles.add(row);
      }
      return [{ row, said }];
    });
  }

  async #openItems(files: readonly OwnFile[]): Promise<void> {
    const keys = new Set(files.flatMap(({ said }) => said?.groupKey ?? []));
    const numbers = new Set(files.flatMap(({ row }) => row.item_no ?? []));
    const found = [
      ...(await readItemsByKey(this.#trx, this.#change.library.no, [...keys])),
      ...(await readItemRows(this.#trx, [...numbers])),
    ];
    const rows = new Map(found.map((row) => [row.no, row]));
    const active = await countActive(this.#trx, [...rows.keys()]);
    for (const row of rows.values())
      this.#unitOfWork.open(row, row.status, active.get(row.no) ?? 0);
  }

  /** Gives each file of an item to the item of its key. */
  async #separate(entry: ItemEntry, own: readonly OwnFile[]): Promise<void> {
    const primaryFirst = own.toSorted((one, other) => rankOf(one) - rankOf(other));
    if (entry.row.group_key === withoutKey(entry)) {
      const keys = primaryFirst.flatMap(({ said }) => said?.groupKey ?? []);
      const free = keys.find((key) => this.#unitOfWork.byKey(key) === undefined);
      if (free !== undefined) this.#unitOfWork.changeKey(entry, free);
    }
    for (const { row, said } of primaryFirst) if (said !== null) this.#assign(row, said, entry);
    if (entry.row.group_key !== withoutKey(entry)) return;
    const heir = this.#unitOfWork.byNumber(primaryFirst[0]?.row.item_no ?? null);
    if (heir === undefined) return;
    entry.mergedInto = heir;
    heir.row.edits ??= entry.row.edits;
    await this.#parts.joined?.(this.#trx, { from: entry.row.id, to: heir.row.id });
  }

  #assign(row: FileRow, said: IdentifiedFile, from: ItemEntry): void {
    const to = this.#unitOfWork.byKey(said.groupKey) ?? this.#newItem(said);
    if (to === from && !from.hasNewKey) return;
    to.isChanged = true;
    from.isChanged = true;
    if (isPrimary(said.identification) && !to.row.is_named)
      this.#unitOfWork.setValues(to, this.#valuesOf(said.identification, said.pluginId));
    if (row.status !== 'missing') {
      from.active -= 1;
      to.active += 1;
    }
    row.item_no = to.row.no;
    row.ingest_state = pendingAgain(row.ingest_state);
    row.updated_at = this.#change.now;
    this.#changedFiles.add(row);
  }

  #newItem({ identification, pluginId, groupKey }: IdentifiedFile): ItemEntry {
    const libraryNo = this.#change.library.no;
    const ids = { no: this.#nextNo++, id: this.#parts.newId(), libraryNo, groupKey };
    const entry = this.#unitOfWork.open(newItemRow(ids, this.#change.now), null, 0);
    this.#unitOfWork.setValues(entry, this.#valuesOf(identification, pluginId));
    return entry;
  }
}

type CommitParts = RegroupParts & Pick<Database, 'insertRows'>;

/** The key of an item that has given up its own. */
const withoutKey = ({ row }: ItemEntry): string => `regrouping:${row.id}`;

const rankOf = ({ row }: OwnFile): number => Number(row.classification !== 'primary');
