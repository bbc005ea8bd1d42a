import type { Knex } from 'knex';

/** A problem that was stored. `since` is in Unix milliseconds. */
export interface ProblemRow {
  readonly key: string;
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly message_german: string | null;
  readonly action: string;
  readonly action_german: string | null;
  readonly since: number | string;
}

const problems = (db: Knex) => db<ProblemRow>('problems');

export const readProblems = (db: Knex): Promise<readonly ProblemRow[]> =>
  problems(db).orderBy('key').select('*');

export async function saveProblem(trx: Knex, row: ProblemRow): Promise<void> {
  await problems(trx).insert(row).onConflict('key').merge();
}

export async function deleteProblem(trx: Knex, key: string): Promise<void> {
  await problems(trx).where({ key }).delete();
}
