import type { Database } from '../../../../kernel/store/index.ts';
import {
  findGivenHash,
  forgetGivenTexts,
  keepGivenText,
  readGivenText,
  type GivenText,
} from '../tables/given-text-store.ts';

/** The content of the text tracks that plugins gave. */
export type GivenTexts = ReturnType<typeof createGivenTexts>;

export const createGivenTexts = ({ read: db, write }: Database) => ({
  /** The hash of the content of a track; `undefined` = it is not kept. */
  hashOf: (itemNo: number, key: string): Promise<string | undefined> =>
    findGivenHash(db, itemNo, key),
  read: (itemNo: number, key: string): Promise<Uint8Array | undefined> =>
    readGivenText(db, itemNo, key),
  /** Keeps what was fetched, as long as the item is there. */
  keep: (text: GivenText): Promise<void> => write((trx) => keepGivenText(trx, text)),
  /** Deletes what a plugin gave. */
  forget: forgetGivenTexts,
});
