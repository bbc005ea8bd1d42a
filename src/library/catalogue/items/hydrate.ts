import type { Queries } from '../../../../kernel/store/index.ts';
import { toFile } from './file.ts';
import { libraryShowing, type Scope } from '../access/index.ts';
import { readRowsById } from './items-by-id-store.ts';
import type { ItemParts, ItemReader, LinkedRow } from './item-parts-store.ts';
import { toProfileState } from './item-playback.ts';
import type { ListedItemRow } from '../tables/item-store.ts';
import { toItem } from './item.ts';
import { readSharedAssets } from '../tables/shown-picture.ts';
import { entityTexts } from '../texts/entity-texts.ts';
import { placedTracks, type TrackRules } from './text-track.ts';
import { parseMap } from '../tables/rows.ts';
import type {
  Item,
  LibraryFile,
  LinkedEntity,
} from '../../../contract/resources/library/catalogue.ts';

/** What decides which text tracks are shown; the roots are those of each library. */
export interface TrackReader {
  readonly tracks: Omit<TrackRules, 'roots'>;
}

/**
 * Reads active items in the order of their ids. Items that are missing or outside the scope are
 * left out. A picture that several of them share, such as the cover of an album, has one address.
 */
export async function readItems(
  db: Queries,
  ids: readonly string[],
  reader: ItemReader & TrackReader,
): Promise<Item[]> {
  if (ids.length === 0) return [];
  const { items, parts } = await readRowsById(db, { items: ids, entities: [] }, reader);
  const whole = assemble(items, parts, reader);
  const share = await readSharedAssets(
    db,
    whole.map(({ assets }) => assets),
    whole.flatMap(({ linkedEntities }) => linkedEntities.map(({ assets }) => assets)),
  );
  const byId = new Map(whole.map((item) => [item.id, { ...item, assets: share(item.assets) }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Makes items from rows and their parts; items outside the scope are left out. */
export function assemble(
  rows: readonly ListedItemRow[],
  parts: ItemParts,
  { scope, tracks: rules }: Pick<ItemReader, 'scope'> & TrackReader,
): Item[] {
  const { files, links } = parts;
  const chapters = Map.groupBy(parts.chapters, (chapter) => chapter.file_no);
  const filesByItem = Map.groupBy(files, (file) => file.item_no);
  const linksByItem = Map.groupBy(links, (link) => link.item_no);
  const states = new Map(parts.played.map((row) => [row.item_id, row]));
  return rows.flatMap((row) => {
    const library = libraryShowing(scope, row);
    if (library === undefined) return [];
    const owner = { libraryId: library.id, itemId: row.id, scope };
    const rowsOfItem = filesByItem.get(row.no) ?? [];
    const { roots } = library;
    const tracks = placedTracks(row.attachments, rowsOfItem, { ...rules, roots });
    const ofItem: LibraryFile[] = rowsOfItem.map((file) => {
      const text = (tracks.get(file.id) ?? []).map(({ track }) => track);
      return toFile(file, owner, { chapters: chapters.get(file.no) ?? [], text });
    });
    const linkedEntities = (linksByItem.get(row.no) ?? []).map((link) =>
      toLinkedEntity(link, scope),
    );
    const state = toProfileState(states.get(row.id));
    const texts = parts.texts.get(row.no);
    const metadata = scope.readFree(row.metadata);
    return [toItem(row, library, { metadata, files: ofItem, linkedEntities, ...state }, texts)];
  });
}

function toLinkedEntity(
  row: LinkedRow,
  { entityLanguages, readFree }: Pick<Scope, 'entityLanguages' | 'readFree'>,
): LinkedEntity {
  return {
    id: row.id,
    type: row.type,
    name: entityTexts(row.texts, entityLanguages).title ?? row.name,
    role: row.role,
    sortOrder: row.sort_order,
    linkMetadata: readFree(row.metadata),
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
  };
}
