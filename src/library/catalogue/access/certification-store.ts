import type { Queries } from '../../../../kernel/store/index.ts';
import { inChunks, type BigNumber } from '../tables/rows.ts';
import type { RatedRow } from './scope.ts';

/** A certification that items of a library have, and how many items have it. */
export interface CertificationRow {
  readonly library_no: number;
  readonly certification: string;
  readonly items: BigNumber;
}

/** Of all active items. It reads only the index of rated items. */
export async function readCertifications(db: Queries): Promise<CertificationRow[]> {
  return db('items')
    .whereRaw("status = 'active' and certification is not null")
    .groupBy('library_no', 'certification')
    .select<CertificationRow[]>('library_no', 'certification', db.raw('count(*) as items'));
}

/** Of the items that changed after this number of the change feed, in any status. */
export async function readCertificationsAfter(
  db: Queries,
  seq: number,
): Promise<CertificationRow[]> {
  return db('items')
    .where('seq', '>', seq)
    .whereNotNull('certification')
    .groupBy('library_no', 'certification')
    .select<CertificationRow[]>('library_no', 'certification', db.raw('count(*) as items'));
}

/** The fields of these items that decide who may see them. */
export async function readRatedRows(
  db: Queries,
  ids: readonly string[],
): Promise<readonly (RatedRow & { readonly id: string })[]> {
  return inChunks(ids, (group) =>
    db('items')
      .whereIn('id', group)
      .select<(RatedRow & { readonly id: string })[]>('id', 'library_no', 'certification'),
  );
}

/** The number of active items by library number. */
export async function readItemCounts(db: Queries): Promise<ReadonlyMap<number, number>> {
  const rows = await db('libraries').select<{ no: number; item_count: number }[]>(
    'no',
    'item_count',
  );
  return new Map(rows.map((row) => [row.no, row.item_count]));
}
