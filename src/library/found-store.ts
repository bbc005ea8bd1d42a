import { membersOf, readTogether, sameNames, toMembers, type Queries } from '../../kernel/index.ts';
import { entityShows, type Scope } from './access/index.ts';
import { shownEntityColumns, type ShownEntityRow } from './entity-store.ts';
import { shownFileColumns, type ShownFileRow } from './file-store.ts';
import { asShown, readChaptersOf, type ItemParts, type LinkedRow } from './item-parts-store.ts';
import { listedColumns, type ListedItemRow } from './item-store.ts';
import type { WantedIds } from './read-ahead.ts';
import type { PlayedRow, SelectItemPlayback } from './with-playback.ts';

/** What is behind the ids of a search, as far as it is there and may be seen. In no order. */
export interface FoundRows {
  readonly items: readonly ListedItemRow[];
  readonly parts: ItemParts;
  readonly entities: readonly ShownEntityRow[];
  readonly played: readonly PlayedRow[];
}

const linkColumns: Readonly<Record<keyof LinkedRow, string>> = {
  item_no: 'link.item_no',
  role: 'link.role',
  sort_order: 'link.sort_order',
  metadata: 'link.metadata',
  id: 'entity.id',
  type: 'entity.type',
  name: 'entity.name',
  assets: 'entity.assets',
  asset_aspects: 'entity.asset_aspects',
};

/** For whom it is read. */
export interface FoundFor {
  readonly scope: Scope;
  readonly profileId: string;
  readonly selectPlayback: SelectItemPlayback;
}

/** Reads items with their parts, and entities, in one statement; chapters, where there are any, in one more. */
export async function readFound(
  db: Queries,
  ids: WantedIds,
  { scope, profileId, selectPlayback }: FoundFor,
): Promise<FoundRows> {
  const members = membersOf(db);
  const shows = entityShows(db, scope);
  const isShown = (hidden: string): string => (scope.showsHidden ? '' : `and ${hidden} = 0`);
  const itemIds = toMembers(ids.items);
  const found = `item_no in (select no from items where id in ${members} and status = 'active')`;
  const playback = selectPlayback(profileId, members);
  const [items, files, links, entities, played] = await readTogether<
    [ListedItemRow, ShownFileRow, LinkedRow, ShownEntityRow, PlayedRow]
  >(db, [
    {
      columns: sameNames(listedColumns),
      from: `items where id in ${members} and status = 'active'`,
      bindings: [itemIds],
    },
    {
      columns: sameNames(shownFileColumns),
      from: `files where ${found} and status <> 'missing'`,
      bindings: [itemIds],
    },
    {
      columns: linkColumns,
      from: `item_entities as link join entities as entity on entity.no = link.entity_no
        where link.${found} ${isShown('entity.hidden')}`,
      bindings: [itemIds],
    },
    {
      columns: sameNames(shownEntityColumns),
      from: `entities where id in ${members} ${isShown('hidden')} and ${shows.sql}`,
      bindings: [toMembers(ids.entities), ...shows.bindings],
    },
    { ...playback, bindings: [...playback.bindings, itemIds] },
  ]);
  const shown = asShown(files);
  const inOrder = links.toSorted((a, b) => a.sort_order - b.sort_order);
  const chapters = await readChaptersOf(db, shown);
  return { items, parts: { files: shown, links: inOrder, chapters }, entities, played };
}
