import type { Knex } from 'knex';
import { byPart } from '../../library/catalogue/items/index.ts';
import type { TimelineFile } from './timeline.ts';

type PlacedFile = Parameters<typeof byPart>[0];

interface PrimaryRow extends PlacedFile {
  readonly id: string;
  readonly status: string;
  readonly duration: number | null;
  readonly library_type: string;
}

/** The primary files of an item in the order in which items show them; missing ones only where all are missing. */
export async function readPrimaryFiles(
  db: Knex,
  itemId: string,
): Promise<{ readonly files: readonly TimelineFile[]; readonly isAudiobook: boolean }> {
  const rows = await db('items')
    .join('libraries', 'libraries.no', 'items.library_no')
    .join('files', 'files.item_no', 'items.no')
    .where('items.id', itemId)
    .where({ 'files.type': 'media', 'files.classification': 'primary' })
    .select<PrimaryRow[]>(
      'files.id',
      'files.uri',
      'files.classification',
      'files.edition',
      'files.part_number',
      'files.status',
      'files.duration',
      'libraries.type as library_type',
    );
  const present = rows.filter(({ status }) => status !== 'missing');
  const files = (present.length > 0 ? present : rows).toSorted(byPart).map(toFile);
  return { files, isAudiobook: rows[0]?.library_type === 'audiobooks' };
}

const toFile = ({ id, uri, edition, part_number, duration }: PrimaryRow): TimelineFile => ({
  id,
  extension: uri.slice(uri.lastIndexOf('.') + 1).toLowerCase(),
  edition,
  partNumber: part_number,
  duration,
});

/** Where credits begin in a file, in seconds. */
export async function readCredits(db: Knex, fileId: string): Promise<readonly number[]> {
  return db('files')
    .join('chapters', 'chapters.file_no', 'files.no')
    .where({ 'files.id': fileId, 'chapters.role': 'credits' })
    .pluck<number[]>('chapters.start_time');
}
