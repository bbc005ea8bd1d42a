/**
 * The tables of the library. Rows refer to each other by `no`, a small number of the database's own
 * (an index of numbers is a third of the size of one of UUIDs); `id` is the public id. Texts that
 * are compared by their bytes have that order in both dialects.
 */
import type { MigrationSet } from '../../../../kernel/store/index.ts';
import { createEntities } from './baseline/entities.ts';
import { createFiles } from './baseline/files.ts';
import { createItems } from './baseline/items.ts';
import { countLetters } from './baseline/letter-counts.ts';
import { createLibraries } from './baseline/libraries.ts';
import { createPictures } from './baseline/pictures.ts';

export const libraryMigrations: MigrationSet = {
  name: 'library',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await createLibraries(trx);
        await createItems(trx);
        await countLetters(trx);
        await createFiles(trx);
        await createEntities(trx);
        await createPictures(trx);
      },
    },
  ],
};
