import type { Queries } from '../../kernel/index.ts';
import { toFile, type LibraryFile } from './file.ts';
import type { ChapterRow } from './extras-store.ts';
import type { FileRow } from './file-store.ts';
import { readChaptersOf, readFilesOf, readLinksOf } from './item-parts-store.ts';
import type { LinkedRow, SomeItems } from './item-parts-store.ts';
import { readItemsById, type ListedItemRow } from './item-store.ts';
import { toItem, type Item, type LinkedEntity } from './item.ts';
import type { LibraryRow } from './library-store.ts';
import { parseMap } from './rows.ts';

/** Makes items of rows with one query for all their files and one for all their entities. */
export async function hydrateItems(
  db: Queries,
  rows: readonly ListedItemRow[],
  libraries: readonly LibraryRow[],
  which: 'active' | 'all' = 'active',
): Promise<Item[]> {
  const parts = await readParts(db, { numbers: rows.map(({ no }) => no) }, which);
  return assemble(rows, parts, libraries);
}

/** Makes items of their ids, in any order, in as few waits as there can be. */
export async function hydrateActiveItems(
  db: Queries,
  ids: readonly string[],
  libraries: readonly LibraryRow[],
): Promise<Item[]> {
  const [rows, parts] = await Promise.all([
    readItemsById(db, ids),
    readParts(db, { ids }, 'active'),
  ]);
  const active = rows.filter(({ status }) => status === 'active');
  return assemble(active, parts, libraries);
}

/** Everything that belongs to some items. */
interface Parts {
  readonly files: readonly FileRow[];
  readonly links: readonly LinkedRow[];
  readonly chapters: readonly ChapterRow[];
}

async function readParts(db: Queries, items: SomeItems, which: 'active' | 'all'): Promise<Parts> {
  const [files, links] = await Promise.all([readFilesOf(db, items, which), readLinksOf(db, items)]);
  return { files, links, chapters: await readChaptersOf(db, files) };
}

function assemble(
  rows: readonly ListedItemRow[],
  parts: Parts,
  libraries: readonly LibraryRow[],
): Item[] {
  const { files, links } = parts;
  const chapters = Map.groupBy(parts.chapters, (chapter) => chapter.file_no);
  const filesByItem = Map.groupBy(files, (file) => file.item_no);
  const linksByItem = Map.groupBy(links, (link) => link.item_no);
  const libraryByNo = new Map(libraries.map((library) => [library.no, library]));
  return rows.flatMap((row) => {
    const library = libraryByNo.get(row.library_no);
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
