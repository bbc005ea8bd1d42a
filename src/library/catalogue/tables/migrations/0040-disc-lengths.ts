import type { Migration } from '../../../../../kernel/storage/index.ts';
import { markLibraryToMerge } from '../pending-store.ts';

/**
 * The length of an audiobook was that of one disc, since parts of other discs with the same numbers
 * counted as versions. It is summed again from what is kept.
 */
export const discLengthsMigration: Migration = {
  id: '0040-disc-lengths',
  up: async (trx) => {
    const numbers = await trx('libraries').where('type', 'audiobooks').pluck<number[]>('no');
    for (const no of numbers) await markLibraryToMerge(trx, no);
  },
};
