/**
 * The client of the activation service. The service is trusted only to count. Any reply that is not
 * exactly one of its replies (an error page, a redirect, too large, too late) counts as
 * unreachable, so that a broken proxy does not disable a license immediately.
 */
import type { LicenseFault } from './license-key.ts';

/** The reply of the service about a license on this server. */
export type AuthorityAnswer =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'conflict'; readonly current: number; readonly max: number }
  | { readonly kind: 'refused'; readonly code: LicenseFault }
  /** `why` is for the operator: it contains no text of the service. */
  | { readonly kind: 'unreachable'; readonly why: string };

/** The activation service. */
export type Authority = ReturnType<typeof createAuthority>;

export interface AuthorityParts {
  readonly url: string;
  readonly serverId: string;
  readonly timeoutMs?: number;
}

interface Reply {
  readonly status: number;
  /** `undefined` = empty. */
  readonly body: unknown;
}

const usualTimeoutMs = 10_000;
const mostBytes = 65_536;
const knownFaults: ReadonlySet<unknown> = new Set<LicenseFault>([
  'MALFORMED',
  'BAD_SIGNATURE',
  'EXPIRED',
  'UNKNOWN_ISSUER',
]);

/** Creates the client; no request is sent yet. */
export function createAuthority(parts: AuthorityParts) {
  const { url, serverId, timeoutMs = usualTimeoutMs } = parts;
  const closing = new AbortController();

  async function post(verb: string, licenseKey: string): Promise<Reply | string> {
    try {
      const reply = await fetch(`${url}/api/licenses/${verb}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ licenseKey, serverId }),
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
      });
      const body = await bodyOf(reply);
      return body === null
        ? `its reply (${reply.status}) is malformed`
        : { status: reply.status, ...body };
    } catch (error) {
      return causeOf(error);
    }
  }

  return {
    /** Counts this server; repeated calls count it once. */
    activate: async (licenseKey: string): Promise<AuthorityAnswer> => {
      const reply = await post('activate', licenseKey);
      return typeof reply === 'string' ? { kind: 'unreachable', why: reply } : answerOf(reply);
    },
    /** Returns the seat; false when the service could not be reached. */
    deactivate: async (licenseKey: string): Promise<boolean> => {
      const reply = await post('deactivate', licenseKey);
      return typeof reply !== 'string' && reply.status === 200;
    },
    /** Aborts requests in progress. */
    close: (): void => closing.abort(),
  };
}

function answerOf({ status, body }: Reply): AuthorityAnswer {
  const { current, max, code, ok } = isObject(body) ? body : {};
  if (status === 200 && ok !== false) return { kind: 'confirmed' };
  if (status === 409 && isCount(current) && isCount(max)) return { kind: 'conflict', current, max };
  if ((status === 400 || status === 403) && typeof code === 'string')
    return { kind: 'refused', code: isFault(code) ? code : 'REFUSED' };
  return { kind: 'unreachable', why: `it replied with status ${status}` };
}

/** The body as a JSON object or empty; `null` for anything else. */
async function bodyOf(reply: Response): Promise<{ readonly body: unknown } | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream: AsyncIterable<Uint8Array> | null = reply.body;
  if (stream === null) return { body: undefined };
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length > mostBytes) return null;
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text.trim() === '') return { body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? { body } : null;
  } catch {
    return null;
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  return `the request failed (${code})`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isFault = (code: string): code is LicenseFault => knownFaults.has(code);
