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
