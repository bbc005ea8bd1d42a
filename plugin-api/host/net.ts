import type { MethodRecords } from '../server/method-record.ts';

/** A request. Only hosts that the manifest names and the admin granted can be reached. */
export interface FetchInput {
  /**
   * https; http only for hosts that the operator allows (`--net-allow`). At most 8192 characters.
   * `{secret:name}` in a parameter of the query stands for a secret of the plugin as a whole.
   */
  readonly url: string;
  /** `GET` when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * At most 50. Headers that the server sets are refused: `host`, `connection`, `content-length`,
   * `cookie`, `user-agent`, `accept-encoding`, `proxy-*` and similar. `{secret:name}` in a value
   * stands for a secret of the plugin, see `host.secrets`.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** UTF-8 text, at most 1 MiB; not for GET and HEAD. */
  readonly body?: string;
  /**
   * Fields that the host adds to a body of the type `application/x-www-form-urlencoded`, for services
   * that take a key there: `{ sk: '{secret:session;profile=<profile>}' }`. At most 10; after a redirect
   * they are left out.
   */
  readonly formSecrets?: Readonly<Record<string, string>>;
  /** Milliseconds in all, including the wait for a turn; at most and by default 15 000. */
  readonly timeoutMs?: number;
  /**
   * Seconds for which an answer to the same GET may come from the server's cache, independent of its
   * headers; when absent, its `Cache-Control` decides. 0 = never from the cache. Answers with
   * `no-store` are never cached. A POST is cached only with a `maxAge` above 0, by its body: for
   * questions such as GraphQL, never for changes.
   */
  readonly maxAge?: number;
  /** `manual`: a redirect is returned as an answer. `follow` when absent. */
  readonly redirect?: 'follow' | 'manual';
  /** `none`: only status and headers are needed; the body is not read. */
  readonly bodyAs?: 'text' | 'bytes' | 'none';
  /**
   * From 0 to below `resources.netLanes` of the manifest; 0 when absent. Requests of one lane to one
   * host run in turn, keep the rate, and pause when the host asks for it or fails. Other lanes are
   * not affected.
   */
  readonly lane?: number;
  /**
   * `own`: the plugin itself pauses for a host that fails or asks to wait, as one that delivers does.
   * The request goes out in spite of the server's pauses, and its end causes none. The rate holds.
   * Only for a plugin that provides `webhooks`, `invalid_argument` for others. `server` when absent.
   */
  readonly pauses?: 'server' | 'own';
}

/** A request for a body that is not text, returned as bytes. */
export interface FetchBytesInput extends FetchInput {
  readonly bodyAs: 'bytes';
}

/** An answer with any status. */
export interface FetchResult {
  readonly status: number;
  /** Names in lower case. Cookies are removed; `content-length` is included only for HEAD. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as UTF-8 text, at most 4 MiB after decompression. */
  readonly body: string;
  /**
   * Whether it came from the cache; `stale` when the host could not be reached and an older answer
   * was used.
   */
  readonly cache: 'miss' | 'hit' | 'stale';
}

/** An answer whose body is bytes, at most 4 MiB after decompression. */
export interface FetchedBytes extends Omit<FetchResult, 'body'> {
  readonly bodyBytes: Uint8Array;
}

/**
 * Parses the answer of `host.net.fetch` with `bodyAs: 'bytes'`: four bytes with the length of a JSON
 * text (big endian), the text, which is the answer without its body, and the body. This form avoids a
 * copy of the body.
 *
 * @example
 * const asked = { url: 'https://media.example.org/film.mkv', headers: { range: 'bytes=0-65535' } };
 * const { status, bodyBytes } = toFetchedBytes(await host.net.fetch({ ...asked, bodyAs: 'bytes' }));
 */
export function toFetchedBytes(packed: Uint8Array): FetchedBytes {
  const length = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(0);
  // The host escapes non-ASCII characters, so a byte is a character.
  const head = Array.from(packed.subarray(4, 4 + length), (byte) => String.fromCharCode(byte));
  const reply = JSON.parse(head.join('')) as Omit<FetchedBytes, 'bodyBytes'>;
  return { ...reply, bodyBytes: packed.subarray(4 + length) };
}

/**
 * `host.net`: HTTP to granted hosts. Permission: `net`. At most 5 redirects are followed, to granted
 * hosts only. Requests to one host keep the rate of the manifest (`resources.netRequestsPerSecond`)
 * and wait for their turn; 8 run at a time. A host that asks for a pause (429 or 503 with
 * `Retry-After`) gets it, ten minutes at a time at most, and one that failed five times in a row gets
 * no requests for a while. A host fails when it cannot be reached or answers 502, 503 or 504; any other
 * answer is none, also one whose body is bad or breaks off.
 *
 * Errors: `permission_denied` (the host was not granted), `invalid_argument`, `net_refused` (an
 * address that no plugin may reach), `net_unreachable`, `net_timeout`, `too_large`, and
 * `quota_exceeded` when the turn would come after the time limit.
 *
 * @example
 * const { status, body } = await host.net.fetch({ url: 'https://api.example.org/films?q=Heat' });
 * const films = status === 200 ? JSON.parse(body) : [];
 */
export interface NetService {
  readonly fetch: {
    /** Packed: {@link toFetchedBytes} parses it. */
    (input: FetchBytesInput): Promise<Uint8Array>;
    (input: FetchInput): Promise<FetchResult>;
  };
}

/** What the server knows of each method. @internal */
export const netMethods = {
  fetch: {
    permission: { name: 'net' },
    scope: 'none',
    viewer: 'headers',
    needs: { url: { type: 'string', minLength: 1, maxLength: 8192 } },
    takes: {
      method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      headers: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string' } },
      body: { type: 'string', maxLength: 1_048_576 },
      formSecrets: {
        type: 'object',
        maxProperties: 10,
        additionalProperties: { type: 'string', maxLength: 400 },
      },
      timeoutMs: { type: 'integer', minimum: 1, maximum: 15_000 },
      maxAge: { type: 'number', minimum: 0, maximum: 31_536_000 },
      bodyAs: { enum: ['text', 'bytes', 'none'] },
      redirect: { enum: ['follow', 'manual'] },
      lane: { type: 'integer', minimum: 0, maximum: 63 },
      pauses: { enum: ['server', 'own'] },
    },
    // A body of JSON is about twice as long as a text in JSON.
    maxLength: 4_194_304,
    raw: true,
    isElsewhere: true,
    done: { english: 'asked a host on the network', german: 'einen Host im Netz gefragt' },
  },
} as const satisfies MethodRecords<NetService>;
