import type { Database, Transaction } from '../../../../kernel/storage/index.ts';
import {
  findGivenHash,
  forgetGivenTexts,
  keepGivenText,
  readGivenText,
  type GivenText,
} from '../tables/given-text-store.ts';

/** The content of the text tracks that plugins gave. */
export interface GivenTexts {
  /** The hash of the content of a track; `undefined` = it is not kept. */
  readonly hashOf: (itemNo: number, key: string) => Promise<string | undefined>;
  readonly read: (itemNo: number, key: string) => Promise<Uint8Array | undefined>;
  /** Keeps what was fetched, as long as the item is there. */
  readonly keep: (text: GivenText) => Promise<void>;
  /** Deletes what a plugin gave. */
  readonly forget: (trx: Transaction, pluginId: string) => Promise<void>;
}

export const createGivenTexts = ({ read: db, write }: Database): GivenTexts => ({
  hashOf: (itemNo, key) => findGivenHash(db, itemNo, key),
  read: (itemNo, key) => readGivenText(db, itemNo, key),
  keep: (text) => write((trx) => keepGivenText(trx, text)),
  forget: forgetGivenTexts,
});
