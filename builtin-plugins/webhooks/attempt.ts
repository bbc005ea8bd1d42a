/** One delivery attempt, signed with its own time, as in Standard Webhooks. */
import type { Host } from '../../plugin-api/index.ts';
import { bodyOf, type Attempt, type Delivery } from './delivery.ts';
import type { StoredWebhook } from './webhook-store.ts';

/** The result of an attempt: it decides what happens next. */
export type Ending =
  | { readonly kind: 'taken'; readonly attempt: Attempt }
  | { readonly kind: 'refused'; readonly attempt: Attempt; readonly retryAfterMs: number }
  /** The receiver says that it is gone for good. */
  | { readonly kind: 'gone'; readonly attempt: Attempt }
  /** The server refused to send it: this does not count as an attempt. */
  | { readonly kind: 'held'; readonly why: string };

const timeoutMs = 10_000;
const longestRetryAfterMs = 86_400_000;
/** The delay for a busy receiver that does not name one. */
const busyMs = 2000;
/** Codes of the server's own state; all others concern the receiver or its address. */
const ownTrouble = /^(quota_exceeded|overloaded|internal|storage_.*|service_unavailable)$/;

/** Tries once. Never rejects. */
export async function attemptDelivery(
  host: Host,
  webhook: StoredWebhook,
  delivery: Delivery,
  clock: () => number,
): Promise<Ending> {
  const at = clock();
  const attempt = (status: number | null, error: string | null): Attempt => ({
    at,
    durationMs: Math.max(0, clock() - at),
    status,
    error,
  });
  try {
    const body = bodyOf(delivery);
    const headers = await signedHeaders(host, webhook, { id: delivery.id, body, at });
    const { status, headers: answered } = await host.net.fetch({
      url: webhook.url,
      method: 'POST',
      headers,
      body,
      timeoutMs,
      redirect: 'manual',
      bodyAs: 'none',
      lane: webhook.lane,
      pauses: 'own',
    });
    if (status >= 200 && status < 300) return { kind: 'taken', attempt: attempt(status, null) };
    if (status === 410) return { kind: 'gone', attempt: attempt(status, refusalOf(status)) };
    const retryAfterMs = pauseOf(status, answered['retry-after'], clock());
    return { kind: 'refused', attempt: attempt(status, refusalOf(status)), retryAfterMs };
  } catch (error) {
    const { code, message } = faultOf(error);
    if (ownTrouble.test(code)) return { kind: 'held', why: message };
    return { kind: 'refused', attempt: attempt(null, `${code}: ${message}`), retryAfterMs: 0 };
  }
}

async function signedHeaders(
  host: Host,
  { secretName }: StoredWebhook,
  message: { readonly id: string; readonly body: string; readonly at: number },
): Promise<Readonly<Record<string, string>>> {
  const seconds = Math.floor(message.at / 1000);
  const { signature } = await host.secrets.sign({
    name: secretName,
    messages: [`${message.id}.${seconds}.${message.body}`],
  });
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}

function refusalOf(status: number): string {
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  if (status === 410) return 'It answered 410, so nothing more is sent there.';
  return `It answered ${status}.`;
}

/** The delay that the receiver asked for: in seconds, or until a date. */
function pauseOf(status: number, header: string | undefined, now: number): number {
  if (status !== 429 && status !== 503) return 0;
  if (header === undefined) return busyMs;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestRetryAfterMs) : busyMs;
}

function faultOf(error: unknown): { readonly code: string; readonly message: string } {
  const message = error instanceof Error ? error.message : 'The attempt failed.';
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return { code: typeof code === 'string' ? code : 'failed', message: message.slice(0, 500) };
}
