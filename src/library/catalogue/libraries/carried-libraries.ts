/** Library settings that survive a restore: a library hidden since the backup stays hidden. */
import { carriedTable, type CarryOver } from '../../../../kernel/store/index.ts';

/** All other fields of a library come from the backup. */
export const carriedLibraries: readonly CarryOver[] = [
  carriedTable({
    label: 'Libraries that stay hidden',
    table: 'libraries',
    key: ['id'],
    kept: (own, replaced) => ({
      hidden: Math.max(Number(own['hidden']), Number(replaced['hidden'])),
    }),
    nameOf: ({ name }) => String(name),
  }),
];
