/**
 * The key-value stores of all plugins, in one table. Usage is counted in the transaction of each
 * change. So the quota holds for simultaneous writes, and checking it costs one row.
 */
import type { Knex } from 'knex';
import { kvLimits } from '../../../plugin-api/server/index.ts';
import { KernelError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { assertKey, endOfPrefix } from './key.ts';

/** The most bytes of a page of entries, unless one entry alone is larger. */
const largestPageBytes = 4_000_000;
const keysOfOneStatement = 500;
/** The most rows that one call removes: all plugins share the writer. */
const mostTrimmed = 2000;

/** One page of keys. */
export interface KvPage {
  readonly keys: readonly string[];
  readonly cursor: string | null;
}

/** One entry; its value is JSON text. */
export interface KvEntry {
  readonly key: string;
  readonly json: string;
}

/** The parameters of a scan. */
export interface KvScan {
  readonly prefix: string;
  readonly cursor: string | null;
  readonly limit: number;
  readonly isReverse: boolean;
}

interface Entry {
  readonly plugin_id: string;
  readonly key: string;
  readonly value: string;
  readonly size_bytes: number;
}

interface Usage {
  readonly plugin_id: string;
  /** PostgreSQL returns a bigint as text. */
  readonly used_bytes: number | string;
}

/** The key-value stores of all plugins. Values are JSON text. */
export class KvStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The value's JSON; `null` when there is none. */
  readonly get = async (pluginId: string, key: string): Promise<string | null> => {
    assertKey(key);
    const row = await this.#database
      .read<Entry>('kv_entries')
      .where({ plugin_id: pluginId, key })
      .first('value');
    return row?.value ?? null;
  };

  /** Refused with `quota_exceeded` when the plugin would then use more than `quotaBytes`. */
  readonly set = async (pluginId: string, entry: KvEntry, quotaBytes: number): Promise<void> => {
    assertKey(entry.key);
    const sizeBytes = sizeOf(entry);
    await this.#database.write(async (trx) => {
      const previous = await entrySize(trx, pluginId, entry.key);
      const used = (await usedBytes(trx, pluginId)) - previous + sizeBytes;
      if (used > quotaBytes && sizeBytes > previous) throw overQuota(used, quotaBytes);
      await trx('kv_entries')
        .insert(rowOf(pluginId, entry))
        .onConflict(['plugin_id', 'key'])
        .merge(['value', 'size_bytes']);
      await count(trx, pluginId, used);
    });
  };

  readonly remove = async (pluginId: string, key: string): Promise<void> => {
    assertKey(key);
    await this.#database.write(async (trx) => {
      const previous = await entrySize(trx, pluginId, key);
      if (previous === 0) return;
      await trx('kv_entries').where({ plugin_id: pluginId, key }).delete();
      await count(trx, pluginId, (await usedBytes(trx, pluginId)) - previous);
    });
  };

  /** In ascending code point order. */
  readonly list = (
    pluginId: string,
    page: { readonly prefix: string; readonly cursor: string | null; readonly limit: number },
  ): Promise<KvPage> => listKeys(this.#database.read, pluginId, page);

  /** A page of entries; shorter when they are large. */
  readonly scan = (
    pluginId: string,
    scan: KvScan,
  ): Promise<{ readonly entries: readonly KvEntry[]; readonly cursor: string | null }> =>
    scanEntries(this.#database.read, pluginId, scan);

  /**
   * Writes all changes or none; refused as `set` is. The last of two entries with one key counts.
   */
  readonly batch = async (
    pluginId: string,
    { remove, set }: { readonly remove: readonly string[]; readonly set: readonly KvEntry[] },
    quotaBytes: number,
  ): Promise<void> => {
    for (const key of remove) assertKey(key);
    const rows = new Map(set.map((entry) => [entry.key, rowOf(pluginId, entry)]));
    await this.#database.write(async (trx) => {
      const touched = await sizesOf(trx, pluginId, [...new Set([...remove, ...rows.keys()])]);
      const before = sum(touched.values());
      const after = sum([...rows.values()].map(({ size_bytes }) => size_bytes));
      const used = (await usedBytes(trx, pluginId)) - before + after;
      if (used > quotaBytes && after > before) throw overQuota(used, quotaBytes);
      await deleteKeys(
        trx,
        pluginId,
        remove.filter((key) => touched.has(key) && !rows.has(key)),
      );
      await this.#database.insertRows(
        trx,
        'kv_entries',
        [...rows.values()].map((row) => ({ ...row })),
        {
          columns: ['plugin_id', 'key'],
          update: ['value', 'size_bytes'],
        },
      );
      await count(trx, pluginId, used);
    });
  };

  /** The number of keys with this prefix, counted up to `most`. */
  readonly count = async (pluginId: string, prefix: string, most: number): Promise<number> => {
    const some = keysWith(this.#database.read, pluginId, prefix)
      .limit(most)
      .select('key')
      .as('some');
    const [row] = await this.#database.read
      .from(some)
      .count<{ found: number | string }[]>({ found: '*' });
    return Number(row?.found ?? 0);
  };

  /** Removes the first entries with this prefix until `keep` are left; returns their number. */
  readonly trim = (pluginId: string, prefix: string, keep: number): Promise<number> =>
    this.#database.write(async (trx) => {
      const last: string | undefined = (
        await keysWith(trx, pluginId, prefix)
          .orderBy('key', 'desc')
          .offset(keep)
          .limit(1)
          .pluck('key')
      )[0];
      if (last === undefined) return 0;
      const gone: readonly Pick<Entry, 'key' | 'size_bytes'>[] = await keysWith(
        trx,
        pluginId,
        prefix,
      )
        .where('key', '<=', last)
        .orderBy('key')
        .limit(mostTrimmed)
        .select('key', 'size_bytes');
      const end = gone.at(-1)?.key ?? last;
      await keysWith(trx, pluginId, prefix).where('key', '<=', end).delete();
      const freed = sum(gone.map(({ size_bytes }) => size_bytes));
      await count(trx, pluginId, (await usedBytes(trx, pluginId)) - freed);
      return gone.length;
    });

  /** Bytes of the keys and of the JSON of the values. */
  readonly usedBytes = (pluginId: string): Promise<number> =>
    usedBytes(this.#database.read, pluginId);

  /** Deletes all data of one plugin. */
  readonly removeAll = (pluginId: string): Promise<void> =>
    this.#database.write(async (trx) => {
      await trx('kv_entries').where({ plugin_id: pluginId }).delete();
      await trx('kv_usage').where({ plugin_id: pluginId }).delete();
    });
}

/** Opens the stores over their tables. */
export const createKvStore = (database: Database): KvStore => new KvStore(database);

async function listKeys(
  read: Knex,
  pluginId: string,
  { prefix, cursor, limit }: Parameters<KvStore['list']>[1],
): Promise<KvPage> {
  if (cursor !== null) assertKey(cursor, 'cursor');
  const query = keysWith(read, pluginId, prefix)
    .orderBy('key')
    .limit(limit + 1)
    .pluck('key');
  if (cursor !== null) void query.where('key', '>', cursor);
  const found: readonly string[] = await query;
  const keys = found.slice(0, limit);
  return { keys, cursor: found.length > limit ? (keys.at(-1) ?? null) : null };
}

/** The entries of one plugin whose keys have the prefix. */
function keysWith(knex: Knex, pluginId: string, prefix: string): Knex.QueryBuilder<Entry> {
  assertKey(prefix, 'prefix');
  const end = endOfPrefix(prefix);
  const query = knex<Entry>('kv_entries').where('plugin_id', pluginId).where('key', '>=', prefix);
  return end === null ? query : query.where('key', '<', end);
}

async function scanEntries(
  read: Knex,
  pluginId: string,
  { prefix, cursor, limit, isReverse }: KvScan,
): Promise<{ readonly entries: readonly KvEntry[]; readonly cursor: string | null }> {
  const query = keysWith(read, pluginId, prefix);
  if (cursor !== null) {
    assertKey(cursor, 'cursor');
    void query.where('key', isReverse ? '<' : '>', cursor);
  }
  const sizes: readonly Pick<Entry, 'key' | 'size_bytes'>[] = await query
    .clone()
    .orderBy('key', isReverse ? 'desc' : 'asc')
    .limit(limit + 1)
    .select('key', 'size_bytes');
  const page = withinBytes(sizes.slice(0, limit));
  const last = page.at(-1)?.key;
  if (last === undefined) return { entries: [], cursor: null };
  const rows: readonly Entry[] = await query
    .where('key', isReverse ? '>=' : '<=', last)
    .orderBy('key', isReverse ? 'desc' : 'asc')
    .select('key', 'value');
  return {
    entries: rows.map(({ key, value }) => ({ key, json: value })),
    cursor: sizes.length > page.length ? last : null,
  };
}

/** As many rows as fit into a page; at least one. */
function withinBytes<Row extends Pick<Entry, 'size_bytes'>>(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ size_bytes }, index) => {
    bytes += size_bytes;
    return bytes > largestPageBytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

async function sizesOf(
  trx: Knex,
  pluginId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (let from = 0; from < keys.length; from += keysOfOneStatement) {
    const rows: readonly Pick<Entry, 'key' | 'size_bytes'>[] = await trx<Entry>('kv_entries')
      .where('plugin_id', pluginId)
      .whereIn('key', keys.slice(from, from + keysOfOneStatement))
      .select('key', 'size_bytes');
    for (const { key, size_bytes } of rows) sizes.set(key, size_bytes);
  }
  return sizes;
}

async function deleteKeys(trx: Knex, pluginId: string, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += keysOfOneStatement)
    await trx('kv_entries')
      .where('plugin_id', pluginId)
      .whereIn('key', keys.slice(from, from + keysOfOneStatement))
      .delete();
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
};

function rowOf(pluginId: string, entry: KvEntry): Entry {
  assertKey(entry.key);
  return {
    plugin_id: pluginId,
    key: entry.key,
    value: entry.json,
    size_bytes: sizeOf(entry),
  };
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
  if (valueBytes > kvLimits.valueBytes) {
    throw new KernelError(
      'too_large',
      `The value takes ${valueBytes} bytes as JSON; at most ${kvLimits.valueBytes} are allowed.`,
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
