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
}
