import type { Database } from '../../../../kernel/store/index.ts';
import {
  deleteWanted,
  nextWanted,
  readWanted,
  saveWanted,
  type WantedPictureRow,
} from '../tables/wanted-picture-store.ts';

/** The stored queue of pictures that are to be fetched; an ingest adds to it. */
export type WantedPictures = ReturnType<typeof createWantedPictures>;

export const createWantedPictures = ({
  database,
}: {
  readonly database: Pick<Database, 'read' | 'write'>;
}) => ({
  /** Those that are due, the longest waiting first. */
  due: (now: number, limit: number): Promise<readonly WantedPictureRow[]> =>
    readWanted(database.read, now, limit),
  /** Unix milliseconds; undefined when none waits. */
  nextAt: (): Promise<number | undefined> => nextWanted(database.read),
  postpone: (row: WantedPictureRow): Promise<void> => database.write((trx) => saveWanted(trx, row)),
  drop: (assetId: string): Promise<void> => database.write((trx) => deleteWanted(trx, assetId)),
});
