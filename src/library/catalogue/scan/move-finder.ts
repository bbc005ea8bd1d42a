import type { Transaction } from '../../../../kernel/store/index.ts';
import type { Discovery } from './discovery.ts';
import { findAlike, type FileRow } from '../tables/file-store.ts';
import { fileName } from '../tables/file-uri.ts';
import type { LibraryRow } from '../tables/library-store.ts';
import type { MoveEvidence } from './move-evidence.ts';
import { pairMoves } from './page-moves.ts';

/**
 * New files to which a missing one moved, by the number of the missing one: the scan reached the
 * old place before the new one.
 */
export async function findDepartures(
  trx: Transaction,
  library: LibraryRow,
  discoveries: readonly Discovery[],
  { fingerprints }: MoveEvidence,
): Promise<ReadonlyMap<Discovery, number>> {
  const came = discoveries
    .filter(({ known }) => known === null)
    .map((discovery) => ({
      ...discovery.scanned,
      name: discovery.name,
      fingerprint: fingerprints.get(discovery.scanned.uri) ?? null,
      discovery,
    }));
  if (came.length === 0) return new Map();
  const beganAt = library.scan_began_at === null ? null : Number(library.scan_began_at);
  const went = (await findAlike(trx, library.no, came, 'missing')).map((file) => ({
    ...file,
    isLate: beganAt !== null && (file.missedAt ?? 0) >= beganAt,
  }));
  return new Map(
    [...pairMoves(came, went)].map(([{ discovery }, departure]) => [discovery, departure.no]),
  );
}

/**
 * Files that this scan recorded as new before it reached their old place and found them gone there:
 * by the number of the new row, the number of the old one.
 */
export async function findArrivals(
  trx: Transaction,
  library: LibraryRow,
  gone: readonly FileRow[],
  { fingerprints, arrivals }: MoveEvidence,
): Promise<ReadonlyMap<number, number>> {
  if (gone.length === 0 || library.scan_after === null) return new Map();
  const went = gone.map((row) => ({
    no: row.no,
    name: fileName(row.uri),
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    fingerprint: row.fingerprint,
  }));
  const madeAfter = Number(library.scan_after);
  const alike = [...arrivals, ...(await findAlike(trx, library.no, went, { madeAfter }))];
  const came = [...new Map(alike.map((file) => [file.no, file])).values()].map((file) => ({
    ...file,
    fingerprint: fingerprints.get(file.uri) ?? file.fingerprint,
  }));
  return new Map(
    [...pairMoves(came, went)].map(([arrival, departure]) => [arrival.no, departure.no]),
  );
}
