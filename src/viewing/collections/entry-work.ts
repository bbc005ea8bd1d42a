/** What the changes of playlists have in common. */
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Items } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { eventOf, type CollectionEvents } from './collection-events.ts';
import { createCollectionFinder } from './collection-finder.ts';
import type { RuledRow } from './collection-store.ts';
import { changePlaylist, insertEntries, type EntryRow } from './entry-store.ts';
import { countListed } from './member-store.ts';
import type { Entry } from '../../contract/resources/library/entries.ts';

export interface EntriesParts {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly items: Pick<Items, 'getMany'>;
  readonly events: CollectionEvents;
  readonly newId: NewId;
  readonly now: () => number;
}

interface NewEntry {
  readonly id: string;
  readonly itemId: string;
}

/** The most entries of a playlist. */
export const mostEntries = 10_000;

export function createEntryWork(parts: EntriesParts) {
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

  /** Entries of items that the viewer may see. */
  async function newEntries(
    itemIds: readonly string[],
    viewer: Viewer,
  ): Promise<readonly NewEntry[]> {
    const seen = new Set((await items.getMany([...new Set(itemIds)], viewer)).map(({ id }) => id));
    const absent = itemIds.find((itemId) => !seen.has(itemId));
    if (absent !== undefined) throw new AppError('not_found', { what: `Item ${absent}` });
    return itemIds.map((itemId) => ({ id: parts.newId(), itemId }));
  }

  async function insert(
    trx: Transaction,
    no: number,
    entries: readonly NewEntry[],
    place: number | undefined,
  ): Promise<void> {
    if (entries.length === 0) return;
    if ((await countListed(trx, no)) + entries.length > mostEntries)
      throw new AppError('conflict', {
        what: `A playlist may have ${mostEntries} entries: remove some first.`,
      });
    await insertEntries(database.insertRows, trx, no, { entries, place });
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

  return { findOwn, shown, newEntries, insert, change };
}
