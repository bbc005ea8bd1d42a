import { closed, type MethodRecords } from '../server/method-record.ts';

/** An entry of the store. */
export interface KvEntry {
  readonly key: string;
  readonly value: unknown;
}

/**
 * `host.kv`: the plugin's own key-value store; it survives restarts and upgrades. Keys have at most
 * 512 characters; values are JSON, at most 1 MB each. Permission: `kv`. A write past the quota is
 * refused with `quota_exceeded` and changes nothing.
 */
export interface KvService {
  /** The value, or `null` when there is none. */
  readonly get: (input: { readonly key: string }) => Promise<unknown>;
  readonly set: (input: { readonly key: string; readonly value: unknown }) => Promise<null>;
  readonly remove: (input: { readonly key: string }) => Promise<null>;
  /** Keys that start with `prefix`, ascending, after `cursor`, up to `limit` (1000 at most). */
  readonly list: (input: {
    readonly prefix?: string;
    readonly cursor?: string | null;
    readonly limit?: number;
  }) => Promise<{ readonly keys: readonly string[]; readonly cursor: string | null }>;
  /**
   * Entries whose keys start with `prefix`, ascending, or descending when `reverse`; after `cursor`
   * in that direction, up to `limit` (500 at most, 100 when absent) and about 4 MB. A page may be
   * shorter than requested; `cursor` is `null` only at the end.
   */
  readonly scan: (input: {
    readonly prefix?: string;
    readonly cursor?: string | null;
    readonly limit?: number;
    readonly reverse?: boolean;
  }) => Promise<{ readonly entries: readonly KvEntry[]; readonly cursor: string | null }>;
  /**
   * Removes and sets many keys at once, 1000 in all and at most 4 000 000 characters as JSON,
   * atomically. A key in both lists is set.
   */
  readonly batch: (input: {
    readonly remove?: readonly string[];
    readonly set?: readonly KvEntry[];
  }) => Promise<null>;
  /** The number of keys that start with `prefix`, counted up to `most` (1 000 000 at most). */
  readonly count: (input: {
    readonly prefix: string;
    readonly most: number;
  }) => Promise<{ readonly count: number }>;
  /**
   * Removes all entries whose keys start with `prefix`, except the last `keep` in key order: at most
   * 2000 in one call, the first ones first. Call it again until it removes none.
   */
  readonly trim: (input: {
    readonly prefix: string;
    readonly keep: number;
  }) => Promise<{ readonly removed: number }>;
}

/** Limits of a store: characters of a key, bytes of a value as JSON, keys of a batch. @internal */
export const kvLimits = { keyLength: 512, valueBytes: 1_000_000, batchKeys: 1000 } as const;

const own = { permission: { name: 'kv' }, scope: 'none', viewer: 'none' } as const;
/** For an input of keys and numbers only. */
const short = { ...own, maxLength: 16_384 } as const;
const key = { type: 'string', maxLength: kvLimits.keyLength } as const;
const cursor = { type: ['string', 'null'], maxLength: kvLimits.keyLength } as const;
const count = { type: 'integer', minimum: 0, maximum: 1_000_000 } as const;

/** What the server knows of each method. @internal */
export const kvMethods = {
  get: {
    ...short,
    needs: { key },
    raw: true,
    done: { english: 'read a value of its own', german: 'einen eigenen Wert gelesen' },
  },
  set: {
    ...own,
    needs: { key, value: {} },
    // A value with its key, in any escaping.
    maxLength: kvLimits.valueBytes + 8192,
    done: { english: 'stored a value', german: 'einen Wert gespeichert' },
  },
  remove: {
    ...short,
    needs: { key },
    done: { english: 'removed a value of its own', german: 'einen eigenen Wert entfernt' },
  },
  list: {
    ...short,
    takes: { prefix: key, cursor, limit: { type: 'integer', minimum: 1, maximum: 1000 } },
    done: { english: 'listed its values', german: 'seine Werte aufgelistet' },
  },
  scan: {
    ...short,
    takes: {
      prefix: key,
      cursor,
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      reverse: { type: 'boolean' },
    },
    raw: true,
    done: { english: 'read its values', german: 'seine Werte gelesen' },
  },
  batch: {
    ...own,
    takes: {
      remove: { type: 'array', items: key, maxItems: kvLimits.batchKeys },
      set: { type: 'array', items: closed({ key, value: {} }), maxItems: kvLimits.batchKeys },
    },
    // A batch is one transaction, for which all other writers wait.
    maxLength: 4_000_000,
    done: { english: 'changed several of its values', german: 'mehrere eigene Werte geändert' },
  },
  count: {
    ...short,
    needs: { prefix: key, most: { ...count, minimum: 1 } },
    done: { english: 'counted its values', german: 'seine Werte gezählt' },
  },
  trim: {
    ...short,
    needs: { prefix: key, keep: count },
    done: { english: 'removed old values of its own', german: 'alte eigene Werte entfernt' },
  },
} as const satisfies MethodRecords<KvService>;
