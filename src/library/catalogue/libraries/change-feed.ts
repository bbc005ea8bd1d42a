import { KernelError } from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { LibraryChange } from '../../../../plugin-api/index.ts';
import { entityPartition, itemPartition } from '../access/index.ts';
import type { FeedFilter } from '../tables/feed-filter.ts';
import { readOtherTitles } from '../texts/item-text-store.ts';
import {
  readChanges,
  readIndexedEntities,
  readIndexedItem,
  type ChangeRow,
  type IndexedEntityRow,
  type IndexedItemRow,
} from '../tables/change-store.ts';

/**
 * The changes of the library, for indexes that follow it. Each item is in the feed at most once, in
 * its current state, and so is each entity that left a library. Both methods return JSON text:
 * metadata is stored as JSON and is passed on unparsed.
 */
export type ChangeFeed = ReturnType<typeof createChangeFeed>;

/** Whether nothing came after the number that was asked. */
export const isEndOfFeed = (page: string): boolean =>
  page.startsWith('{"changes":[],') && page.endsWith('"done":true}');

/**
 * Applies the filter. The library decides for an entity that left, the last place for a deleted
 * item.
 */
async function within(
  page: readonly ChangeRow[],
  filter: FeedFilter,
): Promise<readonly ChangeRow[]> {
  const isEntity = (row: ChangeRow): boolean => row.no === null && row.library_id !== null;
  const items = page.filter((row) => !isEntity(row)).map(({ id }) => id);
  const verdicts = await filter.items(items);
  const shown = new Set(items.filter((_, index) => verdicts[index]));
  const isWhole = ({ library_id: id }: ChangeRow): boolean => id !== null && filter.isWhole(id);
  return page.filter((row) => (isEntity(row) ? isWhole(row) : shown.has(row.id)));
}

export function createChangeFeed({ database }: { readonly database: Database }) {
  const db = database.read;
  return {
    /** A filter limits the feed to what passes it. */
    changes: async (
      { seq, limit }: { readonly seq: number; readonly limit: number },
      filter: FeedFilter | null,
    ): Promise<string> => {
      const page = await readChanges(db, seq, limit);
      const shown = filter === null ? page : await within(page, filter);
      const items = shown.flatMap((row) => (row.no === null ? [] : row));
      const parts = await partsOf(items, filter);
      const changes = shown.map((row) =>
        row.no === null
          ? JSON.stringify(departureOf(row.id, row.library_id, Number(row.seq)))
          : `{"kind":"present","seq":${row.seq},"item":${itemJson(row, parts)}}`,
      );
      const last = page.at(-1)?.seq ?? seq;
      const isDone = page.length < limit;
      return `{"changes":[${changes.join(',')}],"seq":${last},"done":${isDone}}`;
    },
    item: async (
      itemId: string,
      filter: Pick<FeedFilter, 'showsHidden'> | null,
    ): Promise<string> => {
      const row = await readIndexedItem(db, itemId);
      if (row === undefined) throw new KernelError('not_found', `Item ${itemId}`);
      return itemJson(row, await partsOf([row], filter));
    },
  };

  async function partsOf(
    rows: readonly IndexedItemRow[],
    filter: Pick<FeedFilter, 'showsHidden'> | null,
  ): Promise<IndexedParts> {
    const numbers = rows.map(({ no }) => no);
    const [all, titles] = await Promise.all([
      readIndexedEntities(db, numbers),
      readOtherTitles(db, numbers),
    ]);
    const showsHidden = filter?.showsHidden ?? true;
    const shown = showsHidden ? all : all.filter(({ hidden }) => !hidden);
    return { entities: Map.groupBy(shown, (entity) => entity.item_no), titles };
  }
}

const departureOf = (id: string, libraryId: string | null, seq: number): LibraryChange =>
  libraryId === null
    ? { kind: 'removed', itemId: id, seq }
    : { kind: 'entity-left', entityId: id, libraryId, seq };

/** What belongs to items, by number. */
interface IndexedParts {
  readonly entities: ReadonlyMap<number, readonly IndexedEntityRow[]>;
  /** Titles in further languages. */
  readonly titles: ReadonlyMap<number, readonly string[]>;
}

function itemJson(row: IndexedItemRow, { entities, titles }: IndexedParts): string {
  const { id, library_id: libraryId, title, metadata, certification } = row;
  const scope = itemPartition(libraryId, certification);
  const named = (entities.get(row.no) ?? []).map((entity) => ({
    id: entity.id,
    type: entity.type,
    name: entity.name,
    role: entity.role,
    ...(entity.search_terms !== null && { searchTerms: entity.search_terms }),
    ...(Boolean(entity.hidden) && { scope: entityPartition(libraryId, true) }),
  }));
  const otherTitles = titles.get(row.no);
  const head = JSON.stringify({ id, libraryId, scope, title, otherTitles }).slice(0, -1);
  return `${head},"metadata":${metadata},"entities":${JSON.stringify(named)}}`;
}
