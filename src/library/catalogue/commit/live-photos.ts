/**
 * A photo and the film that its camera took with it are one item, also when their names differ: the
 * files themselves have an id in common, which the probe reads. The photo's item stays.
 */
import mime from 'mime';
import type { Transaction } from '../../../../kernel/store/index.ts';
import { countActive, readFileRows, saveFileRows } from '../tables/file-store.ts';
import { extensionOf, fileName, folderOf } from '../tables/file-uri.ts';
import { readItemRows } from '../tables/item-store.ts';
import { pendingAgain } from '../tables/pending-store.ts';
import { readLiveHalves, type LiveHalf } from '../tables/probe-report-store.ts';
import { createItemUnitOfWork } from './item-unit-of-work.ts';
import { writeItems } from './item-writer.ts';
import type { RegroupParts } from './regroup.ts';

type Parts = Parameters<typeof writeItems>[1] & Pick<RegroupParts, 'joined'>;

interface Pair {
  readonly filmNo: number;
  readonly filmItem: number;
  readonly photoItem: number;
}

/** Whether the file is a film, by its name. */
export const isFilm = (uri: string): boolean =>
  mime.getType(extensionOf(fileName(uri)))?.startsWith('video/') === true;

/** Joins the halves of live photos of which one is among these files; null when there are none. */
export async function joinLivePhotos(
  trx: Transaction,
  parts: Parts,
  fileNumbers: readonly number[],
  now: number,
): Promise<Awaited<ReturnType<typeof writeItems>> | null> {
  const pairs = pairsIn(await readLiveHalves(trx, fileNumbers));
  if (pairs.length === 0) return null;
  const unitOfWork = createItemUnitOfWork();
  const numbers = pairs.flatMap(({ filmItem, photoItem }) => [filmItem, photoItem]);
  const active = await countActive(trx, numbers);
  const rows = await readItemRows(trx, [...new Set(numbers)]);
  for (const row of rows) unitOfWork.open(row, row.status, active.get(row.no) ?? 0);
  const films = await readFileRows(
    trx,
    pairs.map(({ filmNo }) => filmNo),
  );
  const changed = films.filter((film) => {
    const pair = pairs.find(({ filmNo }) => filmNo === film.no);
    const from = unitOfWork.byNumber(pair?.filmItem ?? null);
    const to = unitOfWork.byNumber(pair?.photoItem ?? null);
    // A film with further versions is more than the film of a photo.
    if (!from || !to || from.mergedInto !== null || from.active !== 1) return false;
    Object.assign(film, { item_no: to.row.no, ingest_state: pendingAgain(film.ingest_state) });
    from.active = 0;
    to.active += 1;
    from.isChanged = true;
    to.isChanged = true;
    from.mergedInto = to;
    to.row.edits ??= from.row.edits;
    return true;
  });
  await saveFileRows(parts.insertRows, trx, changed);
  for (const { row, mergedInto } of unitOfWork.entries())
    if (mergedInto !== null) await parts.joined?.(trx, { from: row.id, to: mergedInto.row.id });
  const [library] = rows;
  return writeItems(trx, parts, {
    libraryNo: library?.library_no ?? 0,
    entries: unitOfWork.entries(),
    now,
  });
}

/** Photos and films of one folder, where each has only one partner there. */
function pairsIn(halves: readonly LiveHalf[]): readonly Pair[] {
  const found = halves.flatMap(
    ({ fileNo, uri, itemNo, otherUri, otherItemNo, otherNo }): Pair[] => {
      if (folderOf(uri) !== folderOf(otherUri) || isFilm(uri) === isFilm(otherUri)) return [];
      return isFilm(uri)
        ? [{ filmNo: fileNo, filmItem: itemNo, photoItem: otherItemNo }]
        : [{ filmNo: otherNo, filmItem: otherItemNo, photoItem: itemNo }];
    },
  );
  const distinct = new Map(found.map((pair) => [`${pair.filmNo} ${pair.photoItem}`, pair]));
  const byFilm = Map.groupBy(distinct.values(), ({ filmNo }) => filmNo);
  return [...byFilm.values()].flatMap(([pair, another]) =>
    pair === undefined || another !== undefined ? [] : [pair],
  );
}
