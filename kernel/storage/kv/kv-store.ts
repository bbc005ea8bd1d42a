/**
 * The key-value stores of the plugins, side by side in one table. What each one uses is counted in
 * the same transaction that changes it; so the quota holds however many writes come at once, and
 * checking it costs one row.
 */
import type { Knex } from 'knex';
import { KernelError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { assertKey, endOfPrefix } from './key.ts';

/** The largest value, in bytes of its JSON. */
export const largestValueBytes = 1_000_000;

/** One page of keys. */
export interface KvPage {
  readonly keys: readonly string[];
  readonly cursor: string | null;
}

/** The key-value stores of all plugins. Values are JSON text. */
export interface KvStore {
  /** The value's JSON; `null` when there is none. */
  readonly get: (pluginId: string, key: string) => Promise<string | null>;
  /** Refused with `quota_exceeded` when the plugin would then use more than `quotaBytes`. */
  readonly set: (
    pluginId: string,
    entry: { readonly key: string; readonly json: string },
    quotaBytes: number,
  ) => Promise<void>;
  readonly remove: (pluginId: string, key: string) => Promise<void>;
  /** Ascending by code point. */
  readonly list: (
    pluginId: string,
    page: { readonly prefix: string; readonly cursor: string | null; readonly limit: number },
  ) => Promise<KvPage>;
  /** Bytes of the keys and of the JSON of the values. */
  readonly usedBytes: (pluginId: string) => Promise<number>;
  /** Forgets everything of one plugin. */
  readonly removeAll: (pluginId: string) => Promise<void>;
}

interface Entry {
  readonly plugin_id: string;
  readonly key: string;
  readonly value: string;
  readonly size_bytes: number;
}

interface Usage {
  readonly plugin_id: string;
  /** PostgreSQL gives a bigint as text. */
  readonly used_bytes: number | string;
}

/** Opens the stores over their tables. */
export function createKvStore(database: Database): KvStore {
  const { read, write } = database;
  return {
    get: async (pluginId, key) => {
      assertKey(key);
      const row = await read<Entry>('kv_entries')
        .where({ plugin_id: pluginId, key })
        .first('value');
      return row?.value ?? null;
    },

    set: async (pluginId, entry, quotaBytes) => {
      assertKey(entry.key);
      const sizeBytes = sizeOf(entry);
      await write(async (trx) => {
        const previous = await entrySize(trx, pluginId, entry.key);
        const used = (await usedBytes(trx, pluginId)) - previous + sizeBytes;
        if (used > quotaBytes && sizeBytes > previous) throw overQuota(used, quotaBytes);
        await trx('kv_entries')
          .insert({
            plugin_id: pluginId,
            key: entry.key,
            value: entry.json,
            size_bytes: sizeBytes,
          })
          .onConflict(['plugin_id', 'key'])
          .merge(['value', 'size_bytes']);
        await count(trx, pluginId, used);
      });
    },

    remove: async (pluginId, key) => {
      assertKey(key);
      await write(async (trx) => {
        const previous = await entrySize(trx, pluginId, key);
        if (previous === 0) return;
        await trx('kv_entries').where({ plugin_id: pluginId, key }).delete();
        await count(trx, pluginId, (await usedBytes(trx, pluginId)) - previous);
      });
    },

    list: (pluginId, page) => listKeys(read, pluginId, page),

    usedBytes: (pluginId) => usedBytes(read, pluginId),

    removeAll: (pluginId) =>
      write(async (trx) => {
        await trx('kv_entries').where({ plugin_id: pluginId }).delete();
        await trx('kv_usage').where({ plugin_id: pluginId }).delete();
      }),
  };
}

async function listKeys(
  read: Knex,
  pluginId: string,
  { prefix, cursor, limit }: Parameters<KvStore['list']>[1],
): Promise<KvPage> {
  assertKey(prefix, 'prefix');
  if (cursor !== null) assertKey(cursor, 'cursor');
  const end = endOfPrefix(prefix);
  const query = read<Entry>('kv_entries')
    .where('plugin_id', pluginId)
    .where('key', '>=', prefix)
    .orderBy('key')
    .limit(limit + 1)
    .pluck('key');
  if (end !== null) void query.where('key', '<', end);
  if (cursor !== null) void query.where('key', '>', cursor);
  const found: readonly string[] = await query;
  const keys = found.slice(0, limit);
  return { keys, cursor: found.length > limit ? (keys.at(-1) ?? null) : null };
}

async function entrySize(trx: Knex, pluginId: string, key: string): Promise<number> {
  const row = await trx<Entry>('kv_entries')
    .where({ plugin_id: pluginId, key })
    .first('size_bytes');
  return row?.size_bytes ?? 0;
}

async function usedBytes(knex: Knex, pluginId: string): Promise<number> {
  const row = await knex<Usage>('kv_usage').where({ plugin_id: pluginId }).first('used_bytes');
  return Number(row?.used_bytes ?? 0);
}

async function count(trx: Knex.Transaction, pluginId: string, used: number): Promise<void> {
  await trx('kv_usage')
    .insert({ plugin_id: pluginId, used_bytes: used })
    .onConflict('plugin_id')
    .merge(['used_bytes']);
}

function sizeOf({ key, json }: { readonly key: string; readonly json: string }): number {
  const valueBytes = Buffer.byteLength(json);
  if (valueBytes > largestValueBytes) {
    throw new KernelError(
      'too_large',
      `The value takes ${valueBytes} bytes as JSON; at most ${largestValueBytes} are allowed.`,
    );
  }
  return valueBytes + Buffer.byteLength(key);
}

function overQuota(used: number, quotaBytes: number): KernelError {
  return new KernelError(
    'quota_exceeded',
    `The plugin's store would take ${used} bytes; its quota is ${quotaBytes}.`,
  );
}
