import type { Queries } from '../../../kernel/store/index.ts';
import type { Invariant } from './invariants.ts';

/** The number of rows that break a rule. */
export async function countBroken(db: Queries, { rows }: Invariant): Promise<number> {
  const [row] = await db.raw<readonly { readonly broken: number | string }[]>(
    `select count(*) as broken from ${rows}`,
  );
  return Number(row?.broken ?? 0);
}
