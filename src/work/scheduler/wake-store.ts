import type { Knex } from 'knex';
import type { Wake } from '../../../plugin-api/index.ts';

/** A time at which a plugin is called. */
export interface StoredWake extends Wake {
  readonly pluginId: string;
  /** How often the call has failed. */
  readonly failures: number;
}

interface WakeRow {
  readonly plugin_id: string;
  readonly name: string;
  readonly at: number | string;
  readonly every_ms: number | string | null;
  readonly failures: number;
}

const wakes = (db: Knex) => db<WakeRow>('plugin_wakes');

const toWake = (row: WakeRow): StoredWake => ({
  pluginId: row.plugin_id,
  name: row.name,
  at: Number(row.at),
  everyMs: row.every_ms === null ? null : Number(row.every_ms),
  failures: row.failures,
});

/** Of one plugin, or of all; the next first. */
export async function readWakes(db: Knex, pluginId?: string): Promise<readonly StoredWake[]> {
  const found = wakes(db).orderBy(['at', 'plugin_id', 'name']).select('*');
  return (await (pluginId === undefined ? found : found.where('plugin_id', pluginId))).map(toWake);
}

export async function saveWake(trx: Knex, wake: StoredWake): Promise<void> {
  const { pluginId, name, at, everyMs, failures } = wake;
  await wakes(trx)
    .insert({ plugin_id: pluginId, name, at, every_ms: everyMs, failures })
    .onConflict(['plugin_id', 'name'])
    .merge();
}

/** Replaces a time if it is unchanged, since its plugin may have set it again. */
export async function replaceWake(
  trx: Knex,
  { pluginId, name, at, failures }: StoredWake,
  next: StoredWake | null,
): Promise<void> {
  const same = wakes(trx).where({ plugin_id: pluginId, name, at, failures });
  await (next === null ? same.delete() : same.update({ at: next.at, failures: next.failures }));
}

/** Moves recurring times closer that are further away than one interval. */
export async function bringForward(trx: Knex, byMs: number, nowMs: number): Promise<void> {
  await wakes(trx)
    .whereNotNull('every_ms')
    .whereRaw('at > every_ms + ?', [nowMs])
    .update({ at: trx.raw('at - ?', [byMs]) });
}

export async function deleteWake(trx: Knex, pluginId: string, name: string): Promise<void> {
  await wakes(trx).where({ plugin_id: pluginId, name }).delete();
}

export async function deleteWakesOf(trx: Knex, pluginIds: readonly string[]): Promise<void> {
  await wakes(trx).whereIn('plugin_id', pluginIds).delete();
}
