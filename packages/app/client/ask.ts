import type { Clock } from './clock.ts';
import { isErrorCode } from './error-codes.ts';
import { IdentityError, toIdentityError, type ErrorDetails } from './identity-error.ts';
import { isRecord, isText, parseJson, type JsonRecord } from './json.ts';

/** `fetch` of the platform. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A JSON request. */
export interface Question {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: JsonRecord;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A successful reply. */
export interface Answer {
  readonly status: number;
  readonly body: JsonRecord;
}

/**
 * Sends a request; rejects with an {@link IdentityError} when there is no reply, or it is a
 * refusal.
 */
export type Ask = (question: Question) => Promise<Answer>;

const answerWithinMs = 10_000;
const longestAnswer = 1 << 20;

/** Requests to brokers and servers: no cookies, no redirects, ten seconds, one megabyte. */
export function createAsk(fetch: Fetch, clock: Clock): Ask {
  return async ({ method, url, body, headers, signal }) => {
    const stop = stopwatch(clock, answerWithinMs, signal);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        ...requestDefaults,
        signal: stop.signal,
      });
      return toAnswer(response, await textOf(response));
    } catch (error) {
      if (signal?.aborted) throw new IdentityError('cancelled', { cause: error });
      throw toIdentityError(error, 'unreachable');
    } finally {
      stop.clear();
    }
  };
}

/** The options of each request: no credentials, no cache, no redirects. */
export const requestDefaults = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
} as const;

/** A signal that fires after a time, or when another signal fires. */
export interface Stopwatch {
  readonly signal: AbortSignal;
  /** Stops the timer; the other signal can still fire it. */
  readonly settle: () => void;
  /** Stops the timer and detaches the other signal. */
  readonly clear: () => void;
}

export function stopwatch(clock: Clock, timeMs: number, outer?: AbortSignal | null): Stopwatch {
  const controller = new AbortController();
  const pass = (): void => controller.abort();
  if (outer?.aborted) pass();
  outer?.addEventListener('abort', pass);
  const undo = clock.after(timeMs, () => controller.abort());
  return {
    signal: controller.signal,
    settle: undo,
    clear: () => {
      undo();
      outer?.removeEventListener('abort', pass);
    },
  };
}

async function textOf(response: Response): Promise<string> {
  const tooLong = (): IdentityError =>
    new IdentityError('bad_reply', { detail: 'The reply is too long.' });
  if (Number(response.headers.get('content-length')) > longestAnswer) throw tooLong();
  // React Native has no streams: there the text is measured after it was received.
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader?.();
  if (!reader) {
    const text = await response.text();
    if (text.length > longestAnswer) throw tooLong();
    return text;
  }
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > longestAnswer) {
      await reader.cancel();
      throw tooLong();
    }
  }
  return text + decoder.decode();
}

function toAnswer(response: Response, text: string): Answer {
  const { status } = response;
  const body = parseJson(text);
  if (!response.ok) throw toRefusal(status, body, response.headers.get('retry-after'));
  if (!isRecord(body))
    throw new IdentityError('bad_reply', { status, detail: 'The reply is not JSON.' });
  return { status, body };
}

/** The error for an error reply. A server sends `{error, code}`, a broker `{error}`. */
export function toRefusal(
  status: number,
  body: unknown,
  retryAfter: string | null = null,
): IdentityError {
  const { error, code, serverTime, renewableAt } = isRecord(body) ? body : {};
  const seconds = Number(retryAfter ?? Number.NaN);
  const details: ErrorDetails = {
    status,
    ...(seconds >= 0 && { retryAfterMs: Math.min(seconds, 86_400) * 1000 }),
    ...(Number.isSafeInteger(serverTime) && { serverTimeMs: Number(serverTime) }),
    ...(Number.isSafeInteger(renewableAt) && { renewableAtMs: Number(renewableAt) * 1000 }),
  };
  const known = [code, error].find(isErrorCode);
  if (known) return new IdentityError(known, details);
  if (status === 429) return new IdentityError('rate_limited', details);
  if (status >= 500) return new IdentityError('unreachable', details);
  const wireCode = [code, error].find(isText)?.slice(0, 200);
  return new IdentityError('refused', { ...details, ...(wireCode !== undefined && { wireCode }) });
}
