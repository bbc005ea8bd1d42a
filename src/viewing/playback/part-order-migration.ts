/**
 * Positions of audiobooks, which were places on a line of parts by number and address, become the
 * same places on the line by disc, part and name. Where a length is not known they stay.
 */
import type { Migration } from '../../../kernel/storage/index.ts';
import { byPart } from '../../library/catalogue/items/index.ts';

type PlacedFile = Parameters<typeof byPart>[0];

interface PartRow extends PlacedFile {
  readonly item_id: string;
  readonly duration: number | null;
}

interface StoredPlace {
  readonly profile_id: string;
  readonly item_id: string;
  readonly position: number;
}

const itemsAtOnce = 200;

export const partOrderMigration: Migration = {
  id: '0005-part-order',
  up: async (trx) => {
    for (let after = ''; ;) {
      const items = await trx('playback')
        .join('items', 'items.id', 'playback.item_id')
        .join('libraries', 'libraries.no', 'items.library_no')
        .where('libraries.type', 'audiobooks')
        .where('playback.position', '>', 0)
        .where('playback.item_id', '>', after)
        .orderBy('playback.item_id')
        .limit(itemsAtOnce)
        .distinct()
        .pluck<string[]>('playback.item_id');
      const last = items.at(-1);
      if (last === undefined) return;
      await moveAll(trx, items);
      after = last;
    }
  },
};

async function moveAll(
  trx: Parameters<Migration['up']>[0],
  itemIds: readonly string[],
): Promise<void> {
  const files = await trx('items')
    .join('files', 'files.item_no', 'items.no')
    .whereIn('items.id', [...itemIds])
    .where({ 'files.type': 'media', 'files.classification': 'primary' })
    .whereNot('files.status', 'missing')
    .select<PartRow[]>(
      'items.id as item_id',
      ...['uri', 'classification', 'edition', 'part_number', 'duration'].map(
        (name) => `files.${name}`,
      ),
    );
  const filesOf = Map.groupBy(files, (file) => file.item_id);
  const places = await trx<StoredPlace>('playback')
    .whereIn('item_id', [...itemIds])
    .where('position', '>', 0)
    .select('profile_id', 'item_id', 'position');
  for (const { profile_id, item_id, position } of places) {
    const moved = movedPlace(filesOf.get(item_id) ?? [], position);
    if (moved !== position)
      await trx('playback').where({ profile_id, item_id }).update({ position: moved });
  }
}

/** The place of the same second on the line of today. */
export function movedPlace(files: readonly Omit<PartRow, 'item_id'>[], position: number): number {
  const before = lineOf(files.toSorted(byNumber));
  const after = lineOf(files.toSorted(byPart));
  let start = 0;
  for (const { uri, duration } of before) {
    const length = duration ?? 0;
    if (length <= 0) return position;
    if (position < start + length) {
      const ahead = after.slice(
        0,
        after.findIndex((file) => file.uri === uri),
      );
      if (ahead.some((file) => (file.duration ?? 0) <= 0)) return position;
      return ahead.reduce((sum, file) => sum + (file.duration ?? 0), position - start);
    }
    start += length;
  }
  return position;
}

/** The order until then: by the bytes of the address, as databases sort. */
const byNumber = (a: PlacedFile, b: PlacedFile): number =>
  (a.part_number ?? 0) - (b.part_number ?? 0) || (a.uri < b.uri ? -1 : 1);

/** The files of the line that is played: those like the first one. */
function lineOf<File extends PlacedFile>(files: readonly File[]): readonly File[] {
  const plain = files.filter(({ edition }) => edition === null);
  const ofEdition = plain.length > 0 ? plain : files;
  const [first] = ofEdition;
  return ofEdition.filter(
    ({ uri, part_number }) =>
      (part_number !== null) === (first?.part_number !== null) &&
      extensionOf(uri) === extensionOf(first?.uri ?? ''),
  );
}

const extensionOf = (uri: string): string => uri.slice(uri.lastIndexOf('.') + 1).toLowerCase();
