/** A request. Only hosts that the manifest names and the admin granted are reached. */
export interface FetchInput {
  /** https; http only for hosts that the admin allows on the local network. */
  readonly url: string;
  /** `GET` when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** UTF-8 text, at most 1 MiB. */
  readonly body?: string;
  /** Milliseconds in all, at most and by default 15 000. */
  readonly timeoutMs?: number;
  /**
   * Seconds for which an answer to the same GET may come out of the server's cache, whatever its
   * headers say; without it the answer's own `Cache-Control` decides. 0 = never from the cache.
   */
  readonly maxAge?: number;
}

/** An answer, whatever its status. */
export interface FetchResult {
  readonly status: number;
  /** Names in lower case. Cookies never come through. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as UTF-8 text, at most 4 MiB. */
  readonly body: string;
  /** Whether the cache gave it; `stale` when the host could not be reached and an older answer is there. */
  readonly cache: 'miss' | 'hit' | 'stale';
}

/**
 * `host.net`: HTTP to the hosts that were granted. Permission: `net`. Errors: `permission_denied`,
 * `invalid_argument`, `net_unreachable`, `net_timeout`, `net_refused` (an address that no plugin may
 * reach), `quota_exceeded`.
 */
export interface NetService {
  readonly fetch: (input: FetchInput) => Promise<FetchResult>;
}
