/** What an id names: a part of an item, or an entity. */
import type { Queries } from '../../../../kernel/store/index.ts';
import { isActiveItem } from '../access/index.ts';
import { inChunks } from '../tables/rows.ts';

interface IdRow {
  readonly id: string;
}

/** The ids of the items of which a file, a chapter or a picture has one of these ids. */
export async function readItemsOfParts(
  db: Queries,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await inChunks(ids, async (group) => {
    const items = () => db('items').select<IdRow[]>('items.id');
    return [
      ...(await items().join('files', 'files.item_no', 'items.no').whereIn('files.id', group)),
      ...(await items().join('assets', 'assets.item_no', 'items.no').whereIn('assets.id', group)),
      ...(await items()
        .join('files', 'files.item_no', 'items.no')
        .join('chapters', 'chapters.file_no', 'files.no')
        .whereIn('chapters.id', group)),
    ];
  });
  return [...new Set(rows.map(({ id }) => id))];
}

/** The ids of the entities that these ids name: of themselves, of what became one of them, or of a picture. */
export async function readEntitiesNamed(
  db: Queries,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await inChunks(ids, async (group) => {
    const entities = () => db('entities').select<IdRow[]>('entities.id');
    return [
      ...(await entities().whereIn('entities.id', group)),
      ...(await entities()
        .join('merged_entities', 'merged_entities.entity_no', 'entities.no')
        .whereIn('merged_entities.id', group)),
      ...(await entities()
        .join('entity_assets', 'entity_assets.entity_no', 'entities.no')
        .whereIn('entity_assets.id', group)),
    ];
  });
  return [...new Set(rows.map(({ id }) => id))];
}

/** The libraries in which an active item is linked to an entity; one without such an item is missing. */
export async function readLibrariesOfEntities(
  db: Queries,
  entityIds: readonly string[],
): Promise<readonly { readonly id: string; readonly library_id: string }[]> {
  return inChunks(entityIds, (group) =>
    db('entities')
      .join('item_entities', 'item_entities.entity_no', 'entities.no')
      .join('items', 'items.no', 'item_entities.item_no')
      .join('libraries', 'libraries.no', 'items.library_no')
      .whereIn('entities.id', group)
      .whereRaw(isActiveItem('row'))
      .distinct<{ readonly id: string; readonly library_id: string }[]>(
        'entities.id',
        'libraries.id as library_id',
      ),
  );
}
