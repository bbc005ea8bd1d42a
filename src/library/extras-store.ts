import type { Knex } from 'knex';
import type { Database } from '../../kernel/index.ts';
import type { FileRow } from './file-store.ts';
import type { ItemExtras } from './item-values.ts';
import { chunks } from './rows.ts';

/** A row of `chapters`. */
export interface ChapterRow {
  readonly id: string;
  readonly file_no: number;
  readonly title: string;
  readonly source: string;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly role: string;
  readonly metadata: string | null;
  readonly assets: string | null;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** A row of `assets`. */
export interface AssetRow {
  readonly id: string;
  readonly item_no: number;
  readonly type: string;
  readonly uri: string;
  readonly mime_type: string | null;
  readonly aspect: string | null;
  readonly source: string;
}

/** What hooks added to one item, and its files that the page brought. */
export type ExtrasOfItem = ItemExtras & {
  readonly itemNo: number;
  readonly files: readonly Pick<FileRow, 'no' | 'uri'>[];
};

/** Stores assets and chapters in place of those that the items had. */
export async function writeExtras(
  trx: Knex.Transaction,
  insertRows: Database['insertRows'],
  extras: readonly ExtrasOfItem[],
  now: number,
): Promise<void> {
  for (const group of chunks(extras, 500))
    await trx('assets')
      .whereIn(
        'item_no',
        group.map(({ itemNo }) => itemNo),
      )
      .delete();
  await insertRows(trx, 'assets', extras.flatMap(assetRows));
  const chapters = extras.flatMap((one) => chapterRows(one, now));
  const fileNumbers = [...new Set(chapters.map((chapter) => chapter.file_no))];
  for (const group of chunks(fileNumbers, 500)) {
    await trx('chapters').whereIn('file_no', group).delete();
    await trx<FileRow>('files').whereIn('no', group).update({ has_chapters: true });
  }
  await insertRows(
    trx,
    'chapters',
    chapters.map((row) => ({ ...row })),
  );
}

function assetRows({ itemNo, assets }: ExtrasOfItem): Record<keyof AssetRow, unknown>[] {
  return assets.map((asset) => ({
    id: asset.id,
    item_no: itemNo,
    type: asset.type,
    uri: asset.uri,
    mime_type: asset.mimeType ?? null,
    aspect: asset.aspect ?? null,
    source: asset.source,
  }));
}

/** A chapter that names no file belongs to the item's first. */
function chapterRows({ chapters, files }: ExtrasOfItem, now: number): ChapterRow[] {
  return chapters.flatMap((chapter) => {
    const file =
      chapter.mediaFileUri === undefined
        ? files[0]
        : files.find(({ uri }) => uri === chapter.mediaFileUri);
    if (file === undefined) return [];
    return [
      {
        id: chapter.id,
        file_no: file.no,
        title: chapter.title ?? '',
        source: 'plugin',
        start_time: chapter.startTime,
        end_time: chapter.endTime ?? null,
        role: chapter.role ?? 'chapter',
        metadata: chapter.metadata === undefined ? null : JSON.stringify(chapter.metadata),
        assets: null,
        created_at: now,
        updated_at: now,
      },
    ];
  });
}
