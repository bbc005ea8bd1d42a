import type { Knex } from 'knex';
import type { Release } from './release.ts';

export interface UpdateState {
  readonly channel: string;
  /** The version that an admin dismissed. */
  readonly suppressedVersion: string | null;
  readonly release: Release | null;
  readonly lastCheckedAt: string | null;
  readonly lastError: string | null;
}

interface StateRow {
  readonly id: 1;
  readonly channel: string;
  readonly suppressed_version: string | null;
  readonly release: string | null;
  readonly last_checked_at: string | null;
  readonly last_error: string | null;
}

const never: UpdateState = {
  channel: 'stable',
  suppressedVersion: null,
  release: null,
  lastCheckedAt: null,
  lastError: null,
};

const states = (db: Knex) => db<StateRow>('update_state');

export async function readState(db: Knex): Promise<UpdateState> {
  const row = await states(db).where({ id: 1 }).first();
  if (!row) return never;
  return {
    channel: row.channel,
    suppressedVersion: row.suppressed_version,
    release: row.release === null ? null : (JSON.parse(row.release) as Release),
    lastCheckedAt: row.last_checked_at,
    lastError: row.last_error,
  };
}

export async function saveState(trx: Knex, state: UpdateState): Promise<void> {
  await states(trx)
    .insert({
      id: 1,
      channel: state.channel,
      suppressed_version: state.suppressedVersion,
      release: state.release && JSON.stringify(state.release),
      last_checked_at: state.lastCheckedAt,
      last_error: state.lastError,
    })
    .onConflict('id')
    .merge();
}
