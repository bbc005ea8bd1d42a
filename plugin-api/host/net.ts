/** A request. Only hosts that the manifest names and the admin granted are reached. */
export interface FetchInput {
  /** https; http only for hosts that the operator allows (`--net-allow`). At most 8192 characters. */
  readonly url: string;
  /** `GET` when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * At most 50. The server's own are refused: `host`, `connection`, `content-length`, `cookie`,
   * `user-agent`, `accept-encoding`, `proxy-*` and the like. `{secret:name}` in a value stands for a
   * secret of the plugin, as `host.secrets` says.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** UTF-8 text, at most 1 MiB; not for GET and HEAD. */
  readonly body?: string;
  /** Milliseconds in all, waiting for a turn included; at most and by default 15 000. */
  readonly timeoutMs?: number;
  /**
   * Seconds for which an answer to the same GET may come out of the server's cache, whatever its
   * headers say; without it the answer's own `Cache-Control` decides. 0 = never from the cache. What
   * the host marked `no-store` is never kept.
   */
  readonly maxAge?: number;
  /** `manual`: a redirect is given as the answer that it is. `follow` when absent. */
  readonly redirect?: 'follow' | 'manual';
  /** `none`: only status and headers are wanted; a body is neither waited for nor kept. */
  readonly bodyAs?: 'text' | 'bytes' | 'none';
  /**
   * From 0 to below `resources.netLanes` of the manifest; 0 when absent. Requests of one lane to one
   * host take turns, keep the rate, and rest when the host asks for it or fails. Those of another lane
   * have nothing to do with that.
   */
  readonly lane?: number;
}

/** A request whose answer is wanted as it is, for what is no text. */
export interface FetchBytesInput extends FetchInput {
  readonly bodyAs: 'bytes';
}

/** An answer, whatever its status. */
export interface FetchResult {
  readonly status: number;
  /** Names in lower case. Cookies never come through; `content-length` does for HEAD alone. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as UTF-8 text, at most 4 MiB after decompression. */
  readonly body: string;
  /** Whether the cache gave it; `stale` when the host could not be reached and an older answer is there. */
  readonly cache: 'miss' | 'hit' | 'stale';
}

/** An answer whose body is bytes, at most 4 MiB after decompression. */
export interface FetchedBytes extends Omit<FetchResult, 'body'> {
  readonly bodyBytes: Uint8Array;
}

/**
 * Takes apart what `host.net.fetch` gives for `bodyAs: 'bytes'`: four bytes with the length of a JSON
 * text (big endian), the text, which is the answer without its body, and the body. Bytes and text
 * cross together in no other way, and so not one byte is copied.
 *
 * @example
 * const asked = { url: 'https://media.example.org/film.mkv', headers: { range: 'bytes=0-65535' } };
 * const { status, bodyBytes } = toFetchedBytes(await host.net.fetch({ ...asked, bodyAs: 'bytes' }));
 */
export function toFetchedBytes(packed: Uint8Array): FetchedBytes {
  const length = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(0);
  // The host escapes all that is no ASCII, so a byte is a character.
  const head = Array.from(packed.subarray(4, 4 + length), (byte) => String.fromCharCode(byte));
  const reply = JSON.parse(head.join('')) as Omit<FetchedBytes, 'bodyBytes'>;
  return { ...reply, bodyBytes: packed.subarray(4 + length) };
}

/**
 * `host.net`: HTTP to the hosts that were granted. Permission: `net`. At most 5 redirects are
 * followed, to granted hosts alone. Requests to one host keep the rate of the manifest
 * (`resources.netRequestsPerSecond`) and wait for their turn; 8 are under way at a time. A host that
 * asks for time (429 or 503 with `Retry-After`) gets it, and one that failed five times in a row is
 * left alone for a while.
 *
 * Errors: `permission_denied` (the host was not granted), `invalid_argument`, `net_refused` (an
 * address that no plugin may reach), `net_unreachable`, `net_timeout`, `too_large`, and
 * `quota_exceeded` when the turn would come after the time is over.
 *
 * @example
 * const { status, body } = await host.net.fetch({ url: 'https://api.example.org/films?q=Heat' });
 * const films = status === 200 ? JSON.parse(body) : [];
 */
export interface NetService {
  readonly fetch: {
    /** Packed: {@link toFetchedBytes} takes it apart. */
    (input: FetchBytesInput): Promise<Uint8Array>;
    (input: FetchInput): Promise<FetchResult>;
  };
}
