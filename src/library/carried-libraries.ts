/** What counts of libraries after a restore: one that was hidden since the backup stays hidden. */
import { carriedTable, type CarryOver } from '../../kernel/index.ts';

/** Everything else of a library is as it was in the backup. */
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
