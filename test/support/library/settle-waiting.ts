import { readSubjects } from '../../../src/library/catalogue/commit/ingest-subjects.ts';
import { replaceBeside } from '../../../src/library/catalogue/tables/beside/auxiliary-store.ts';
import type { LibraryRow } from '../../../src/library/catalogue/tables/library-store.ts';
import { readPendingItems } from '../../../src/library/catalogue/tables/pending-store.ts';
import type { TestLibrary } from './library.ts';

/** Does of an ingest only this: it says to which of the waiting items the files beside media belong. */
export async function settleWaiting({ storage: { database } }: TestLibrary): Promise<void> {
  const row = await database.read<LibraryRow>('libraries').first();
  if (row === undefined) return;
  const waiting = await readPendingItems(database.read, {
    libraryNo: row.no,
    after: 0,
    limit: 5000,
  });
  const subjects = await readSubjects(database, row, waiting);
  await database.write(async (trx) => {
    await replaceBeside(
      trx,
      subjects.map(({ no, sidecars }) => ({
        no,
        beside: sidecars.filter(({ isOwn }) => isOwn).map((one) => one.no),
      })),
    );
    await trx('files').update({ ingest_state: 0 });
  });
}
