import type { Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import {
  deleteEntries,
  deleteEntry,
  moveEntry,
  readEntries,
  readEntriesById,
} from './entry-store.ts';
import { createEntryWork, mostEntries, type EntriesParts } from './entry-work.ts';
import type { EntriesPage, Entry } from '../../contract/resources/library/entries.ts';
import type { PageQuery } from '../../contract/resources/schema-parts.ts';

/** The entries of playlists. A position beyond the end is the end. */
export type Entries = ReturnType<typeof createEntries>;

export function createEntries(parts: EntriesParts) {
  const db = parts.database.read;
  const { findOwn, shown, newEntries, insert, change } = createEntryWork(parts);

  return {
    list: async (
      id: string,
      viewer: Viewer,
      { limit = 50, cursor }: PageQuery,
    ): Promise<EntriesPage> => {
      const { no } = await findOwn(id, viewer, 'playlist');
      const scope = await parts.access.scopeOf(viewer);
      const after = parseCursor(cursor);
      const rows = await readEntries(db, { collectionNo: no, scope, after, limit: limit + 1 });
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        entries: await shown(rows.slice(0, limit), viewer),
        nextCursor: last ? writeCursor([last.position]) : null,
      };
    },
    /** Adds items in their order before the entry at `position`; at the end when absent. */
    add: async (
      id: string,
      {
        itemIds,
        position,
      }: { readonly itemIds: readonly string[]; readonly position?: number | undefined },
      viewer: Viewer,
    ): Promise<readonly Entry[]> => {
      const entries = await newEntries(itemIds, viewer);
      const playlist = await findOwn(id, viewer, 'playlist');
      const { no } = playlist;
      const added = await change(playlist, async (trx) => {
        await insert(trx, no, entries, position);
        return readEntriesById(
          trx,
          no,
          entries.map((entry) => entry.id),
        );
      });
      return shown(added, viewer);
    },
    /**
     * Puts items in the place of all entries that the viewer sees, in one step. `within` says of their
     * items which else are replaced; all when absent.
     */
    replace: async (
      id: string,
      {
        itemIds,
        within,
      }: {
        readonly itemIds: readonly string[];
        readonly within?: (itemIds: readonly string[]) => Promise<readonly boolean[]>;
      },
      viewer: Viewer,
    ): Promise<void> => {
      const entries = await newEntries(itemIds, viewer);
      const playlist = await findOwn(id, viewer, 'playlist');
      const { no } = playlist;
      const scope = await parts.access.scopeOf(viewer);
      const all = { collectionNo: no, scope, after: null, limit: mostEntries };
      const before = await readEntries(db, all);
      const isReplaced = await within?.(before.map((entry) => entry.item_id));
      const gone = before.filter((_, at) => isReplaced?.[at] ?? true).map((entry) => entry.id);
      await change(playlist, async (trx) => {
        await deleteEntries(trx, no, gone);
        await insert(trx, no, entries, undefined);
        return [];
      });
    },
    move: async (
      id: string,
      { entryId, position }: { readonly entryId: string; readonly position: number },
      viewer: Viewer,
    ): Promise<Entry> => {
      const playlist = await findOwn(id, viewer, 'playlist');
      const { no, name } = playlist;
      // Before the write: what is answered with 404 must not have moved.
      const [entry] = await shown(await readEntriesById(db, no, [entryId]), viewer);
      if (entry === undefined) throw entryNotFound(entryId, name);
      const [row] = await change(playlist, async (trx) => {
        if (await moveEntry(trx, no, { id: entryId, place: position }))
          return readEntriesById(trx, no, [entryId]);
        throw entryNotFound(entryId, name);
      });
      if (row === undefined) throw entryNotFound(entryId, name);
      return { ...entry, position: row.place };
    },
    remove: async (id: string, entryId: string, viewer: Viewer): Promise<void> => {
      const playlist = await findOwn(id, viewer, 'playlist');
      await change(playlist, async (trx) => {
        if (await deleteEntry(trx, playlist.no, entryId)) return [];
        throw entryNotFound(entryId, playlist.name);
      });
    },
  };
}

function parseCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [position] = readCursor(cursor, 1);
  if (typeof position === 'number') return position;
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}

const entryNotFound = (entryId: string, name: string): AppError =>
  new AppError('not_found', { what: `Entry ${entryId} of the playlist ${name}` });
