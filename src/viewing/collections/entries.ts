import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Items } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { eventOf, type CollectionEvents } from './collection-events.ts';
import { createCollectionFinder } from './collection-finder.ts';
import type { RuledRow } from './collection-store.ts';
import {
  changePlaylist,
  deleteEntry,
  insertEntries,
  moveEntry,
  readEntries,
  readEntriesById,
  type EntryRow,
} from './entry-store.ts';
import { countListed } from './member-store.ts';
import type { EntriesPage, Entry } from '../../contract/resources/library/entries.ts';
import type { PageQuery } from '../../contract/resources/schema-parts.ts';

/** The entries of playlists. A position beyond the end is the end. */
export type Entries = ReturnType<typeof createEntries>;

export interface EntriesParts {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly items: Pick<Items, 'getMany'>;
  readonly events: CollectionEvents;
  readonly newId: NewId;
  readonly now: () => number;
}

const mostEntries = 10_000;

export function createEntries(parts: EntriesParts) {
  const { database, items, now } = parts;
  const db = database.read;
  const { findOwn } = createCollectionFinder({ db, access: parts.access });

  async function shown(rows: readonly EntryRow[], viewer: Viewer): Promise<readonly Entry[]> {
    const ids = [...new Set(rows.map((row) => row.item_id))];
    const byId = new Map((await items.getMany(ids, viewer)).map((item) => [item.id, item]));
    return rows.flatMap(({ id, item_id, place }) => {
      const item = byId.get(item_id);
      return item === undefined ? [] : [{ id, position: place, item }];
    });
  }

  async function change(
    playlist: RuledRow,
    work: (trx: Transaction) => Promise<readonly EntryRow[]>,
  ): Promise<readonly EntryRow[]> {
    const place = { collectionNo: playlist.no, now: now() };
    const rows = await changePlaylist(database, place, work);
    if (rows === null) throw new AppError('not_found', { what: `Collection ${playlist.id}` });
    parts.events.emit('collection.updated', eventOf(playlist));
    return rows;
  }

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
      const seen = new Set(
        (await items.getMany([...new Set(itemIds)], viewer)).map((one) => one.id),
      );
      const absent = itemIds.find((itemId) => !seen.has(itemId));
      if (absent !== undefined) throw new AppError('not_found', { what: `Item ${absent}` });
      const entries = itemIds.map((itemId) => ({ id: parts.newId(), itemId }));
      const playlist = await findOwn(id, viewer, 'playlist');
      const { no } = playlist;
      const added = await change(playlist, async (trx) => {
        if ((await countListed(trx, no)) + entries.length > mostEntries)
          throw new AppError('conflict', {
            what: `A playlist may have ${mostEntries} entries: remove some first.`,
          });
        await insertEntries(database.insertRows, trx, no, { entries, place: position });
        return readEntriesById(
          trx,
          no,
          entries.map((entry) => entry.id),
        );
      });
      return shown(added, viewer);
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
