/**
 * Tests whether clients reach the server at its public URL. The server requests that URL and
 * expects an answer that only this process knows, and only during the test. The URL comes from the
 * configuration, never from a request, so a client cannot make the server call other addresses.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

/** The result of a test: reached, or the reason why not. */
export type Reached =
  | { readonly reachable: true; readonly reason: null }
  | { readonly reachable: false; readonly reason: string };

/** Tests the public URL, and answers its own request. */
export type Reachability = ReturnType<typeof createReachability>;

/** The dependencies of the test. */
export interface ReachabilityParts {
  /** Without a trailing slash; `null` = not configured. */
  readonly publicUrl: string | null;
  readonly clock: Pick<Clock, 'after'>;
  readonly random?: (count: number) => Buffer;
  readonly fetch?: typeof fetch;
}

const longestMs = 5000;
const mostBytes = 2048;

/** Creates it with no test in progress. */
export function createReachability(parts: ReachabilityParts) {
  const { publicUrl, clock, random = randomBytes, fetch: ask = fetch } = parts;
  const open = new Map<string, string>();

  /** Takes at most five seconds and never rejects. */
  async function check(): Promise<Reached> {
    if (publicUrl === null) {
      return unreached('No public URL is configured: start the server with --public-url.');
    }
    const [nonce, expected] = [random(24).toString('hex'), random(24).toString('hex')];
    const cut = new AbortController();
    const stop = clock.after(longestMs, () => cut.abort());
    open.set(nonce, expected);
    try {
      return await hear(`${publicUrl}/api/reachable/${nonce}`, expected, cut.signal);
    } catch (error) {
      return unreached(
        cut.signal.aborted ? 'There was no answer within 5 seconds.' : failureText(error),
      );
    } finally {
      open.delete(nonce);
      stop();
      cut.abort();
    }
  }

  async function hear(url: string, expected: string, signal: AbortSignal): Promise<Reached> {
    const reply = await ask(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json' },
    });
    if (reply.status !== 200) return unreached(`It answered with status ${reply.status}.`);
    const text = await startOf(reply);
    if (text.includes(expected)) return { reachable: true, reason: null };
    return unreached('Another server answered.');
  }

  return {
    check /** The expected answer; `null` for a nonce that no test waits for. */,
    answerTo: (nonce: string): string | null => open.get(nonce) ?? null,
  };
}

const unreached = (reason: string): Reached => ({ reachable: false, reason });

/** The responder is not trusted, and its body may be endless: reads only the start. */
async function startOf(reply: Response): Promise<string> {
  const reader = (reply.body as ReadableStream<Uint8Array> | null)?.getReader();
  let text = '';
  while (reader && text.length < mostBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString('latin1');
  }
  return text.slice(0, mostBytes);
}

/** Connection error codes as text; other errors are not shown to clients. */
const failures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Its host name is unknown.',
  EAI_AGAIN: 'Its host name could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut.',
  EHOSTUNREACH: 'There is no route to its host.',
  ENETUNREACH: 'There is no route to its network.',
  ETIMEDOUT: 'There was no answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no answer in time.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not signed by a trusted authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a trusted authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not signed by a trusted authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host name.',
};

function failureText(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new Map(Object.entries(failures)).get(code) ?? 'The connection failed.';
}
