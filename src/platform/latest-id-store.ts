import type { Database } from '../../kernel/store/index.ts';

/** Tables whose `id` is a UUID version 7 and has an index. */
const tables = ['jobs', 'items', 'notifications', 'sessions'] as const;
/** Ids of a later time are not the server's own. */
const latestMs = Date.UTC(9999, 0);

/**
 * The time in the latest stored id, in Unix milliseconds; 0 = there is none. It reads one index entry
 * of each table.
 */
export async function readLatestIdTime({ read }: Pick<Database, 'read'>): Promise<number> {
  let latest = 0;
  for (const table of tables) {
    const row = await read(table).max<{ readonly id: string | null }[]>({ id: 'id' });
    const ms = timeIn(row[0]?.id ?? '');
    if (ms > latest && ms < latestMs) latest = ms;
  }
  return latest;
}

function timeIn(id: string): number {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? [];
  return high === undefined || low === undefined ? 0 : Number.parseInt(high + low, 16);
}
