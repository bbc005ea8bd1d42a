import type { Transaction } from '../../kernel/index.ts';
import type { Discovery } from './discovery.ts';
import { findByTrace, type KnownFile } from './file-store.ts';
import { fileName } from './file-uri.ts';
import type { LibraryRow } from './library-store.ts';
import type { PageDiff } from './page-diff.ts';
import { latelyGone, pairMoves } from './page-moves.ts';

/**
 * New files that a missing one has become, by the number of that one: the old place was looked at
 * before the new one.
 */
export async function findDepartures(
  trx: Transaction,
  library: LibraryRow,
  page: { readonly discoveries: readonly Discovery[]; readonly diff: PageDiff },
): Promise<ReadonlyMap<Discovery, number>> {
  const fresh = page.discoveries.filter(({ known }) => known === null);
  if (fresh.length === 0 || (!library.has_missed && page.diff.gone.length === 0)) return new Map();
  const came = fresh.map((discovery) => ({
    ...discovery.scanned,
    name: discovery.name,
    discovery,
  }));
  const missing = await findByTrace(trx, library.no, came, 'missing');
  const beganAt = library.scan_began_at === null ? null : Number(library.scan_began_at);
  const pairs = pairMoves(came, latelyGone(missing, beganAt));
  return new Map([...pairs].map(([{ discovery }, departure]) => [discovery, departure.no]));
}

/**
 * Files that this scan took for new before it came to their old place and found them gone there:
 * by the number of the new row, the number of the old one.
 */
export async function findArrivals(
  trx: Transaction,
  library: LibraryRow,
  gone: readonly KnownFile[],
): Promise<ReadonlyMap<number, number>> {
  if (gone.length === 0 || library.scan_after === null) return new Map();
  const went = gone.map((known) => ({ ...known, name: fileName(known.uri) }));
  const madeAfter = Number(library.scan_after);
  const came = await findByTrace(trx, library.no, went, { madeAfter });
  return new Map(
    [...pairMoves(came, went)].map(([arrival, departure]) => [arrival.no, departure.no]),
  );
}
