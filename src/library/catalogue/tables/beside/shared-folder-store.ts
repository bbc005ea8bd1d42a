/**
 * Folders that hold media of several items. A sidecar that concerns its whole folder belongs to an
 * item only where that is the only item in the folder and below it.
 */
import type { Knex } from 'knex';
import { inChunks } from '../rows.ts';

const foldersOfOneStatement = 200;

/** SQL of what counts in a folder: primary media of an item that is not missing, not extras. */
export const countedMedia = (file: string): string =>
  `${file}.type = 'media' and ${file}.classification = 'primary' and ${file}.status <> 'missing'
   and ${file}.item_no is not null`;

/** Those of these folders in or below which there is media of several items. */
export function findSharedFolders(
  db: Knex,
  libraryNo: number,
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  return foldersWhere(db, folders, { sql: hasAnother, bindings: [libraryNo, libraryNo] });
}

/** Both sides stop at the first matching row, also in large folders. */
const hasAnother = `exists (
  select 1 from files as other
  where other.library_no = ? and other.uri > asked.column2 and other.uri < asked.column3
    and ${countedMedia('other')}
    and other.item_no <> (
      select own.item_no from files as own
      where own.library_no = ? and own.uri > asked.column2 and own.uri < asked.column3
        and ${countedMedia('own')}
      order by own.uri limit 1
    )
)`;

/** Those of the folders for which a condition holds, in a few statements for all of them. */
export async function foldersWhere(
  db: Knex,
  folders: readonly string[],
  condition: { readonly sql: string; readonly bindings: readonly number[] },
): Promise<ReadonlySet<string>> {
  const rows = await inChunks(
    folders.map((folder, tag) => ({ tag, folder })),
    async (group) => {
      const places = group.map(() => '(cast(? as integer), ?, ?)').join(', ');
      const bindings = group.flatMap(({ tag, folder }) => [tag, `${folder}/`, `${folder}0`]);
      const found: unknown = await db
        .with('asked', db.raw(`select * from (values ${places}) as listed`, bindings))
        .from('asked')
        .select({ tag: 'asked.column1' })
        .whereRaw(condition.sql, [...condition.bindings]);
      return found as { tag: number }[];
    },
    foldersOfOneStatement,
  );
  return new Set(rows.map(({ tag }) => folders[tag] ?? ''));
}
