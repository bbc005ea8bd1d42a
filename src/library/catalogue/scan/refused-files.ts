/**
 * Files that the filesystem refused to give when they were probed, as when the server lacks permission.
 * Listings do not show that they can be read now, so each scan that reaches them has them probed again.
 */
import type { Database } from '../../../../kernel/store/index.ts';
import type { LibraryRow } from '../tables/library-store.ts';
import { markPending, readRefused } from '../tables/pending-store.ts';
import { reaches } from './scan-places.ts';
import type { ScanPlan } from './scan-state.ts';

/** Marks them for the ingest that follows the scan. */
export async function probeRefusedAgain(
  { read, write }: Pick<Database, 'read' | 'write'>,
  { no }: LibraryRow,
  plan: Pick<ScanPlan, 'folders' | 'shallow'>,
): Promise<void> {
  const refused = (await readRefused(read, no)).filter(({ uri }) => reaches(plan, uri));
  if (refused.length === 0) return;
  await write((trx) =>
    markPending(
      trx,
      refused.map((file) => file.no),
    ),
  );
}
