import type { Scope } from '../access/index.ts';
import type { ChapterRow } from '../tables/extras-store.ts';
import type { FileRow } from '../tables/file-store.ts';
import { parseMap, timestamp } from '../tables/rows.ts';
import type { Chapter } from '../../../contract/resources/library/catalogue.ts';

/**
 * The chapters of a file in the order of time. A chapter without an end lasts until the next one of
 * the same source - an intro that a plugin found does not cut a chapter of the file - or until the
 * end of the file, if its duration is known.
 */
export function toChapters(
  rows: readonly ChapterRow[],
  file: Pick<FileRow, 'id' | 'duration'>,
  readFree: Scope['readFree'],
): readonly Chapter[] {
  const ordered = rows.toSorted(byTime);
  return ordered.map((row, index) => {
    const next = ordered
      .slice(index + 1)
      .find((one) => one.source === row.source && one.start_time > row.start_time);
    const known = [row.end_time, next?.start_time, file.duration];
    const end = known.find((time) => time != null && time > row.start_time);
    return toChapter(row, readFree(row.metadata), { fileId: file.id, endTime: end ?? null });
  });
}

/** Of two chapters with the same start the longer one comes first, since it contains the other. */
function byTime(a: ChapterRow, b: ChapterRow): number {
  return (
    a.start_time - b.start_time ||
    (b.end_time ?? Infinity) - (a.end_time ?? Infinity) ||
    (a.id < b.id ? -1 : 1)
  );
}

function toChapter(
  row: ChapterRow,
  metadata: Chapter['metadata'],
  { fileId, endTime }: Pick<Chapter, 'fileId' | 'endTime'>,
): Chapter {
  return {
    id: row.id,
    fileId,
    title: row.title,
    source: row.source,
    startTime: row.start_time,
    endTime,
    role: row.role,
    metadata,
    assets: parseMap<string>(row.assets),
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}
