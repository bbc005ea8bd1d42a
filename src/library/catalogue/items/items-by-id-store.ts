import {
  membersOf,
  readTogether,
  sameNames,
  toMembers,
  type Queries,
} from '../../../../kernel/store/index.ts';
import { entityShows } from '../access/index.ts';
import { shownEntityColumns, type ShownEntityRow } from '../tables/entity-store.ts';
import type { ShownFileRow } from '../tables/file-store.ts';
import {
  partSelections,
  wantedItems,
  wantedNumbers,
  withChapters,
  type ItemParts,
  type ItemReader,
  type LinkedRow,
} from './item-parts-store.ts';
import type { ProfileStateRow } from './item-playback.ts';
import { readShownTexts } from '../texts/shown-texts.ts';
import { listedColumns, type ListedItemRow } from '../tables/item-store.ts';

/** The ids of what is to be read. */
export interface WantedIds {
  readonly items: readonly string[];
  readonly entities: readonly string[];
}

/** The rows of those ids that exist and are visible, in no order. */
export interface RowsById {
  readonly items: readonly ListedItemRow[];
  readonly parts: ItemParts;
  readonly entities: readonly ShownEntityRow[];
}

/** Reads items with their parts, and entities, in one statement; chapters and texts, if any, in two others. */
export async function readRowsById(
  db: Queries,
  ids: WantedIds,
  reader: ItemReader,
): Promise<RowsById> {
  const { scope } = reader;
  const shows = entityShows(db, scope);
  const [items, entities, ...parts] = await readTogether<
    [ListedItemRow, ShownEntityRow, ShownFileRow, LinkedRow, ProfileStateRow]
  >(
    db,
    [
      {
        columns: sameNames(listedColumns),
        from: `items where no in ${wantedNumbers}`,
        bindings: [],
      },
      {
        columns: sameNames(shownEntityColumns),
        from: `entities where id in ${membersOf(db)} ${scope.showsHidden ? '' : 'and hidden = 0'}
        and ${shows.sql}`,
        bindings: [toMembers(ids.entities), ...shows.bindings],
      },
      ...partSelections('active', reader),
    ],
    wantedItems(db, ids.items, 'active'),
  );
  const texts = await readShownTexts(db, items, scope);
  return { items, parts: { ...(await withChapters(db, parts)), texts }, entities };
}
