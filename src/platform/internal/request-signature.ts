/**
 * Signatures of requests between servers. A request is signed with a key that only the servers of one
 * database have, over what it asks, its body, whom it asks, a moment and a number that is used once. So
 * what somebody took from the wire cannot be sent again, nor to another server, nor be changed.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  readonly method: string;
  /** As it stands in the request, with nothing decoded. */
  readonly path: string;
  readonly body: Uint8Array;
  /** The address that is asked: `HOST:PORT`. */
  readonly to: string;
}

export interface SignatureParts {
  readonly key: Buffer;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A signature counts for so long before and after its moment: clocks differ a little. */
export const validMs = 60_000;
/** More requests within that time are refused, since it could not be known whether they are replays. */
const mostRemembered = 100_000;

const form = /^(\d{1,16})\.([\w-]{22})\.([\w-]{43})$/;

export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

function macOf(key: Buffer, { method, path, body, to }: SignedRequest, at: string, once: string) {
  const lines = ['vitrine internal 1', method, path, digestOf(body), to, at, once];
  return createHmac('sha256', key).update(lines.join('\n')).digest('base64url');
}

/** Signs one request; `random` gives so many bytes. */
export function signRequest(
  { key, now }: SignatureParts,
  request: SignedRequest,
  random: (bytes: number) => Buffer,
): string {
  const at = String(now());
  const once = random(16).toString('base64url');
  return `${at}.${once}.${macOf(key, request, at, once)}`;
}

export const signAnswer = (
  key: Buffer,
  asked: string,
  answer: { readonly status: number; readonly body: Uint8Array },
): string =>
  createHmac('sha256', key)
    .update(['vitrine internal answer 1', asked, answer.status, digestOf(answer.body)].join('\n'))
    .digest('base64url');

export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a request is of another server, now and for the first time. */
export type CheckSignature = (request: SignedRequest, signature: string | undefined) => boolean;

/** Creates the check. It remembers each signature for as long as it counts. */
export function createSignatureCheck({ key, now }: SignatureParts): CheckSignature {
  /** When each may be forgotten, the oldest first. */
  const seen = new Map<string, number>();

  function forget(): void {
    for (const [mac, until] of seen) {
      if (until > now()) return;
      seen.delete(mac);
    }
  }

  return (request, signature) => {
    const [, at, once, mac] = form.exec(signature ?? '') ?? [];
    if (at === undefined || once === undefined || mac === undefined) return false;
    if (!isSame(mac, macOf(key, request, at, once))) return false;
    if (Math.abs(now() - Number(at)) > validMs) return false;
    forget();
    if (seen.has(mac) || seen.size >= mostRemembered) return false;
    seen.set(mac, now() + 2 * validMs);
    return true;
  };
}
