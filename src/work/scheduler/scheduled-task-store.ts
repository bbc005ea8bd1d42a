import type { Knex } from 'knex';

/** The last run of a task. Unix milliseconds. */
export interface TaskRow {
  readonly name: string;
  readonly known_since: number | string;
  readonly last_run_at: number | string | null;
  readonly last_duration_ms: number | string | null;
  readonly last_error: string | null;
  readonly last_success_at: number | string | null;
}

const tasks = (db: Knex) => db<TaskRow>('scheduled_tasks');

export const readTasks = (db: Knex): Promise<readonly TaskRow[]> => tasks(db).select('*');

/** Inserts unknown tasks. */
export async function insertTasks(
  trx: Knex,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const name of names)
    await tasks(trx).insert({ name, known_since: nowMs }).onConflict('name').ignore();
}

export async function saveRun(
  trx: Knex,
  { name, ...run }: Omit<TaskRow, 'known_since'>,
): Promise<void> {
  await tasks(trx).where({ name }).update(run);
}
