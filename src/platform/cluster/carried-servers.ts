import type { CarryOver } from '../../../kernel/store/index.ts';

/** A backup holds the servers that ran when it was made; none of them uses the restored database. */
export const carriedServers: readonly CarryOver[] = [
  {
    label: 'Servers that ran when the backup was made',
    isAlways: true,
    carry: async ({ trx }) => {
      if (await trx.schema.hasTable('server_processes')) await trx('server_processes').delete();
      return [];
    },
  },
];
