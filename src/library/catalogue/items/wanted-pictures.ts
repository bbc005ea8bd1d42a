import type { Database } from '../../../../kernel/storage/index.ts';
import {
  deleteWanted,
  nextWanted,
  readWanted,
  saveWanted,
  type WantedPictureRow,
} from '../tables/wanted-picture-store.ts';

/** The stored queue of pictures that are to be fetched; an ingest adds to it. */
export interface WantedPictures {
  /** Those that are due, the longest waiting first. */
  readonly due: (now: number, limit: number) => Promise<readonly WantedPictureRow[]>;
  /** Unix milliseconds; undefined when none waits. */
  readonly nextAt: () => Promise<number | undefined>;
  readonly postpone: (row: WantedPictureRow) => Promise<void>;
  readonly drop: (assetId: string) => Promise<void>;
}

export const createWantedPictures = ({
  database,
}: {
  readonly database: Pick<Database, 'read' | 'write'>;
}): WantedPictures => ({
  due: (now, limit) => readWanted(database.read, now, limit),
  nextAt: () => nextWanted(database.read),
  postpone: (row) => database.write((trx) => saveWanted(trx, row)),
  drop: (assetId) => database.write((trx) => deleteWanted(trx, assetId)),
});
