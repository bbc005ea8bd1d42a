import type { Queries } from '../../kernel/index.ts';
import { toFile, type LibraryFile } from './file.ts';
import { libraryShowing, type Scope } from './access/index.ts';
import { readChaptersOf, readFilesOf, readLinksOf } from './item-parts-store.ts';
import type { ItemParts, LinkedRow } from './item-parts-store.ts';
import type { ListedItemRow } from './item-store.ts';
import { toItem, type Item, type LinkedEntity } from './item.ts';
import { parseMap } from './rows.ts';

/**
 * Makes items of rows with one query for all their files and one for all their entities. What the
 * scope does not show is left out, whoever read the rows.
 */
export async function hydrateItems(
  db: Queries,
  rows: readonly ListedItemRow[],
  scope: Scope,
  which: 'active' | 'all' = 'active',
): Promise<Item[]> {
  const shown = rows.filter((row) => libraryShowing(scope, row) !== undefined);
  const numbers = shown.map(({ no }) => no);
  const [files, links] = await Promise.all([
    readFilesOf(db, numbers, which),
    readLinksOf(db, numbers, scope),
  ]);
  const chapters = await readChaptersOf(db, files);
  return assemble(shown, { files, links, chapters }, scope);
}

/** Makes items of rows and of what belongs to them; what the scope does not show is left out. */
export function assemble(
  rows: readonly ListedItemRow[],
  parts: ItemParts,
  scope: Pick<Scope, 'libraries'>,
): Item[] {
  const { files, links } = parts;
  const chapters = Map.groupBy(parts.chapters, (chapter) => chapter.file_no);
  const filesByItem = Map.groupBy(files, (file) => file.item_no);
  const linksByItem = Map.groupBy(links, (link) => link.item_no);
  return rows.flatMap((row) => {
    const library = libraryShowing(scope, row);
    if (library === undefined) return [];
    const owner = { libraryId: library.id, itemId: row.id };
    const ofItem: LibraryFile[] = (filesByItem.get(row.no) ?? []).map((file) =>
      toFile(file, owner, chapters.get(file.no) ?? []),
    );
    const linkedEntities = (linksByItem.get(row.no) ?? []).map(toLinkedEntity);
    return [toItem(row, library, { files: ofItem, linkedEntities })];
  });
}

function toLinkedEntity(row: LinkedRow): LinkedEntity {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    role: row.role,
    sortOrder: row.sort_order,
    linkMetadata: parseMap(row.metadata),
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
  };
}
