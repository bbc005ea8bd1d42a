import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import { serverViewer, type Viewer } from '../../../people/viewer/index.ts';
import type { AuditReport, RecordAudit } from '../../../platform/audit/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { toKnown, type Access, type KnownLibraries } from '../access/index.ts';
import { countShown } from '../items/item-count-store.ts';
import { textIn } from '../../../platform/text.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import type { EntityRegistry } from '../entities/entity-registry.ts';
import { normalizeName } from '../tables/normalize-name.ts';
import type { EmitLibraryEvent } from '../tables/library-events.ts';
import { parseMap } from '../tables/rows.ts';
import {
  deleteLibrary,
  findLibrary,
  findLibraryByName,
  insertLibrary,
  linksOf,
  pagesOfItems,
  readLibraries,
  rootsOf,
  updateLibrary,
  type LibraryRow,
  type LinkFolder,
  type NamedItem,
} from '../tables/library-store.ts';
import { toLibrary } from './library.ts';
import { rootProblemText } from '../scan/root-problem.ts';
import type { Reconcile } from '../scan/reconcile.ts';
import { assertApart, toLinkFolders, toRootUri } from '../tables/root-uri.ts';
import type {
  Library,
  LibraryChanges,
  NewLibrary,
} from '../../../contract/resources/library/libraries.ts';
import type { LibrarySources } from '../../../contract/resources/library/sources.ts';

/** Checks whether a folder can be the root of a library; `isReserved` = it never can. */
export type ValidateRoot = (uri: string) => Promise<{
  readonly ok: boolean;
  readonly message?: string;
  readonly isReserved?: boolean;
}>;

/** The folders of a library, by their URIs. */
export interface FoldersOfLibrary {
  /** Empty while folders are being checked. */
  readonly name: string;
  readonly roots: readonly string[];
  readonly links: readonly LinkFolder[];
}

export interface CreateOptions {
  /** Called for a root that cannot be used now, such as a disk that is away; else that is refused. */
  readonly onUnusable?: (message: string) => void;
}

export interface LibrariesParts {
  readonly database: Database;
  readonly access: Pick<Access, 'knows' | 'scopeWithin'>;
  readonly known: KnownLibraries;
  readonly validateRoot: ValidateRoot;
  /** Throws `LICENSE_LIMIT` when the license allows no further library. */
  readonly assertRoom: (trx: Transaction) => Promise<void>;
  readonly reconcile: Reconcile;
  readonly entities: Pick<EntityRegistry, 'forget'>;
  /** Deletes what other parts store for a library, in the same transaction. */
  readonly removed?: (trx: Transaction, libraryId: string) => Promise<void>;
  readonly audit: RecordAudit;
  readonly emit: EmitLibraryEvent;
  /** Back-pressure for many events. */
  readonly room: (timeoutMs: number) => Promise<void>;
  readonly newId: NewId;
  readonly now: () => number;
}

const longestName = 200;
/** How long a page of events may wait for slow plugins. */
const roomTimeoutMs = 1000;
const mostRoots = 50;

/** The libraries of the server. A library that the viewer may not see is not found. */
export class Libraries {
  readonly #parts: LibrariesParts;
  readonly #candidates = new Set<readonly string[]>();

  constructor(parts: LibrariesParts) {
    this.#parts = parts;
  }

  async #rowFor(id: string, viewer: Viewer): Promise<LibraryRow> {
    const row = await findLibrary(this.#parts.database.read, id);
    if (row && this.#parts.access.knows(viewer, toKnown(row))) return row;
    throw new AppError('not_found', { what: `Library ${id}` });
  }

  readonly #note = (
    trx: Transaction,
    actor: Viewer,
    act: string,
    id: string,
    what: Pick<AuditReport, 'change' | 'details'>,
  ): Promise<void> =>
    this.#parts.audit(trx, {
      actor,
      action: `library.${act}`,
      target: { type: 'library', id },
      ...what,
    });

  /** Folders and their problems are for admins. */
  async #shownTo(viewer: Viewer, row: LibraryRow): Promise<Library> {
    const library = await this.#withCount(viewer, row);
    if (viewer.role !== 'admin') return { ...library, roots: [], links: [], problems: [] };
    const problems = library.problems.map((problem) => ({
      ...problem,
      message: textIn(rootProblemText(problem), viewer.locale),
    }));
    return { ...library, problems };
  }

  /**
   * With the number of items that the viewer may see. The stored count is for viewers who see all.
   */
  async #withCount(viewer: Viewer, row: LibraryRow): Promise<Library> {
    const scope = await this.#parts.access.scopeWithin(viewer, toKnown(row));
    const isLimited = scope.libraries.some(({ certifications }) => certifications !== null);
    if (!isLimited) return toLibrary(row);
    return { ...toLibrary(row), itemCount: await countShown(this.#parts.database.read, scope) };
  }

  async #assertUsable(
    field: 'roots' | 'links',
    folders: readonly string[],
    { onUnusable }: CreateOptions = {},
  ): Promise<void> {
    this.#candidates.add(folders);
    try {
      for (const folder of folders) {
        const { ok, message, isReserved = false } = await this.#parts.validateRoot(folder);
        if (ok) continue;
        const what = `${folder} cannot be used. ${message ?? ''}`.trim();
        if (onUnusable === undefined || isReserved)
          throw new AppError('invalid_request', { what: `${field}: ${what}` });
        onUnusable(what);
      }
    } finally {
      this.#candidates.delete(folders);
    }
  }

  /** The folders for links after a change. One that was there is not checked: it may be away. */
  async #linksAfter(
    before: LibraryRow,
    roots: readonly string[],
    wanted: LibraryChanges['links'],
  ): Promise<readonly LinkFolder[]> {
    const had = linksOf(before);
    if (wanted === undefined) return had.filter(({ root }) => roots.includes(root));
    const links = toLinkFolders(wanted, roots);
    const known = new Set(had.map(({ folder }) => folder));
    const added = links.flatMap(({ folder }) => (known.has(folder) ? [] : folder));
    await this.#assertUsable('links', added);
    return links;
  }

  /** Files below a removed root are gone, as if the folder had been emptied. */
  async #leaveRoots(before: LibraryRow, roots: readonly string[]): Promise<void> {
    for (const root of rootsOf(before)) {
      if (roots.includes(root)) continue;
      const nothing = { after: null, through: null, files: [], unreadable: [] };
      await this.#parts.reconcile(
        { libraryId: before.id, root, ...nothing },
        { losses: 'certain' },
      );
    }
  }

  async #announceRemoved(libraryId: string, packed: readonly string[]): Promise<void> {
    for (const page of packed) {
      for (const { id: itemId, title } of JSON.parse(page) as readonly NamedItem[])
        this.#parts.emit('library.item.removed', { itemId, libraryId, title });
      await this.#parts.room(roomTimeoutMs);
    }
  }

  /** Loads the libraries, also after another server changed them; before it, `roots` is empty. */
  readonly open = async (): Promise<void> => {
    const { database, known } = this.#parts;
    const rows = await readLibraries(database.read);
    for (const row of rows) known.learn(row);
    for (const { id } of known.all()) if (!rows.some((row) => row.id === id)) known.forget(id);
  };

  /**
   * Every root, also those being checked for a library that is about to be made: the part of the
   * disk that filesystem plugins may see.
   */
  readonly roots = (): readonly string[] =>
    [...this.#parts.known.all().map(({ roots }) => roots), ...this.#candidates].flat();

  /** The same, library by library: no link leads out of the folders of its library. */
  readonly folders = (): readonly FoldersOfLibrary[] => [
    ...this.#parts.known.all(),
    ...[...this.#candidates].map((roots) => ({ name: '', roots, links: [] })),
  ];

  /** From memory; undefined for an unknown one. */
  readonly nameOf = (id: string): string | undefined => this.#parts.known.find(id)?.name;

  /** Whether the library exists, without regard to a viewer. */
  readonly exists = async (id: string): Promise<boolean> =>
    (await findLibrary(this.#parts.database.read, id)) !== undefined;

  readonly create = async (
    wanted: NewLibrary,
    viewer: Viewer = serverViewer,
    options: CreateOptions = {},
  ): Promise<Library> => {
    const { now, database, known, emit } = this.#parts;
    const name = parseName(wanted.name);
    const type = parseType(wanted.type);
    const roots = parseRoots(wanted.roots);
    assertApart(roots);
    await this.#assertUsable('roots', roots, options);
    const links = toLinkFolders(wanted.links ?? [], roots);
    const folders = links.map(({ folder }) => folder);
    await this.#assertUsable('links', folders, options);
    const id = this.#parts.newId();
    const time = now();
    const row = await database.write(async (trx) => {
      await assertFree(trx, name);
      await this.#parts.assertRoom(trx);
      const created: LibraryRow = {
        no: await takeNumbers(trx, 1),
        id,
        name,
        name_key: normalizeName(name),
        type,
        roots: JSON.stringify(roots),
        links: JSON.stringify(links),
        plugin_id: wanted.pluginId ?? null,
        hidden: wanted.hidden ?? false,
        item_count: 0,
        scan_after: null,
        scan_began_at: null,
        has_missed: false,
        problems: null,
        unread_places: null,
        root_volumes: null,
        mounts: null,
        sought: null,
        is_watched: wanted.watch ?? true,
        media_jobs: wanted.mediaJobs === undefined ? null : JSON.stringify(wanted.mediaJobs),
        sources: null,
        last_scan_at: null,
        created_at: time,
        updated_at: time,
      };
      await insertLibrary(trx, created);
      const { hidden } = created;
      const details = { name, type, roots, links, hidden: Boolean(hidden) };
      await this.#note(trx, viewer, 'created', id, { change: 'event', details });
      return created;
    }, known.learn);
    emit('library.created', { libraryId: id, name });
    return toLibrary(row);
  };

  /** By name. Hidden ones are listed to admins only. */
  readonly list = async (viewer: Viewer): Promise<readonly Library[]> => {
    const rows = await readLibraries(this.#parts.database.read);
    const shown = rows.filter((row) => this.#parts.access.knows(viewer, toKnown(row)));
    return Promise.all(shown.map((row) => this.#shownTo(viewer, row)));
  };

  readonly get = async (id: string, viewer: Viewer): Promise<Library> =>
    this.#shownTo(viewer, await this.#rowFor(id, viewer));

  readonly update = async (
    id: string,
    changes: LibraryChanges,
    viewer: Viewer,
  ): Promise<Library> => {
    const { database, now, known, emit } = this.#parts;
    const before = await this.#rowFor(id, viewer);
    const name = changes.name === undefined ? before.name : parseName(changes.name);
    const roots = changes.roots === undefined ? rootsOf(before) : parseRoots(changes.roots);
    if (changes.roots !== undefined) {
      assertApart(roots);
      await this.#assertUsable('roots', roots);
    }
    const links = await this.#linksAfter(before, roots, changes.links);
    await assertFree(database.read, name, id);
    await this.#leaveRoots(before, roots);
    const { pluginId = before.plugin_id, hidden = Boolean(before.hidden) } = changes;
    const { watch = Boolean(before.is_watched), mediaJobs } = changes;
    const columns = {
      name,
      name_key: normalizeName(name),
      roots: JSON.stringify(roots),
      links: JSON.stringify(links),
      plugin_id: pluginId,
      hidden,
      is_watched: watch,
      ...(mediaJobs !== undefined && { media_jobs: JSON.stringify(mediaJobs) }),
      updated_at: now(),
    };
    const change = async (trx: Transaction): Promise<void> => {
      await assertFree(trx, name, id);
      const current = (await findLibrary(trx, id)) ?? before;
      await updateLibrary(trx, before.no, columns);
      await this.#note(trx, viewer, 'changed', id, {
        change: {
          before: toLibrary(current),
          after: toLibrary({ ...current, ...columns, updated_at: current.updated_at }),
        },
        details: { name, ...changes },
      });
    };
    await database.write(change, () => known.learn({ ...before, ...columns }));
    emit('library.updated', { libraryId: id, name });
    return this.#shownTo(viewer, await this.#rowFor(id, viewer));
  };

  /** Stores which sources of metadata win, and in which languages its texts are. */
  readonly setSources = async (
    id: string,
    { order, fields, languages }: LibrarySources,
    viewer: Viewer,
  ): Promise<void> => {
    const before = await this.#rowFor(id, viewer);
    const sources = JSON.stringify({ order, fields, languages });
    const change = async (trx: Transaction): Promise<void> => {
      const current = (await findLibrary(trx, id)) ?? before;
      await updateLibrary(trx, before.no, { sources });
      await this.#note(trx, viewer, 'sources', id, {
        change: { before: parseMap(current.sources), after: parseMap(sources) },
        details: { order, fields, languages },
      });
    };
    await this.#parts.database.write(change, () => this.#parts.known.learn({ ...before, sources }));
  };

  /**
   * Removes a library with all its items; the files on the disk stay. `library.item.removed` of
   * each item comes before `library.deleted`.
   */
  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const { database, known, emit } = this.#parts;
    const { no, name } = await this.#rowFor(id, viewer);
    const removal = async (trx: Transaction): Promise<readonly string[]> => {
      const row = await findLibrary(trx, id);
      if (row === undefined) return [];
      const items = await packedItems(trx, no);
      await deleteLibrary(trx, no, await takeNumbers(trx, row.item_count));
      await this.#parts.removed?.(trx, id);
      const details = { name, items: row.item_count };
      await this.#note(trx, viewer, 'removed', id, { change: 'event', details });
      return items;
    };
    const items = await database.write(removal, () => known.forget(id));
    this.#parts.entities.forget();
    await this.#announceRemoved(id, items);
    emit('library.deleted', { libraryId: id, name });
  };
}

export const createLibraries = (parts: LibrariesParts): Libraries => new Libraries(parts);

/**
 * The items of a library that is about to be deleted, each page as one text: a library of 100,000
 * items takes some ten megabytes until its events are emitted.
 */
async function packedItems(trx: Transaction, libraryNo: number): Promise<readonly string[]> {
  const pages: string[] = [];
  for await (const page of pagesOfItems(trx, libraryNo)) pages.push(JSON.stringify(page));
  return pages;
}

function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= longestName) return trimmed;
  throw refusal(`name must have 1 to ${longestName} characters.`);
}

function parseType(type: string): string {
  if (/^[a-z][a-z0-9-]{0,63}$/.test(type)) return type;
  throw refusal(
    'type must be lowercase letters, digits and -, such as movies, tv, music, audiobooks, books or photos.',
  );
}

function parseRoots(roots: readonly string[]): readonly string[] {
  if (roots.length === 0 || roots.length > mostRoots)
    throw refusal(`roots must name 1 to ${mostRoots} folders.`);
  return [...new Set(roots.map((root) => toRootUri(root)))];
}

async function assertFree(
  trx: Parameters<typeof findLibraryByName>[0],
  name: string,
  except?: string,
): Promise<void> {
  const other = await findLibraryByName(trx, normalizeName(name));
  if (other === undefined || other.id === except) return;
  throw new AppError('conflict', { what: `A library named ${other.name} exists already.` });
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
