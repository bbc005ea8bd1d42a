/**
 * The requests of a server to an identity broker. The broker is not trusted: the signatures of its
 * data are verified elsewhere; here the form and the size of its replies are checked.
 */
import { AppError } from '../../platform/errors.ts';
import type { SignedObject } from '../../../packages/lib/identity-protocol/index.ts';

/** Sends a request over the network; rejects when there is no reply. */
export type BrokerFetch = (request: {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}>;

/** A pending link and the page where the user approves it. */
export interface BegunLink {
  readonly requestId: string;
  readonly linkUrl: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** The state of a link at the broker. */
export type LinkPoll =
  | { readonly state: 'pending' }
  | { readonly state: 'completed'; readonly grant: unknown }
  | { readonly state: 'failed'; readonly code: string };

/** One page of the revocation feed; its records are verified one by one. */
export interface FeedPage {
  readonly epoch: string;
  readonly records: readonly unknown[];
  readonly next: number;
  readonly more: boolean;
  readonly etag: string | null;
}

/** Brokers, by their addresses. All methods reject with `broker_unreachable`. */
export type BrokerClient = ReturnType<typeof createBrokerClient>;

const timeoutMs = 10_000;
const mostBytes = 1024 * 1024;
const mostRecords = 5000;

type Answer = Readonly<Record<string, unknown>>;

/** Creates the client over a fetch function. */
export function createBrokerClient(fetch: BrokerFetch) {
  async function ask(
    request: Pick<Parameters<BrokerFetch>[0], 'method' | 'url' | 'headers' | 'body'>,
  ) {
    const reply = await fetch({ ...request, maxBytes: mostBytes, timeoutMs }).catch(
      (error: unknown) => {
        throw unreachable(error instanceof Error ? error.message : 'it did not answer', error);
      },
    );
    const { status, headers } = reply;
    return { status, headers, answer: status === 304 ? {} : parsed(reply.body) };
  }

  const post = (url: string, body: object) =>
    ask({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const beginUrl = (identityUrl: string): string =>
    `${identityUrl}/api/identity/servers/link/begin`;

  return {
    beginLink: async (identityUrl: string, signed: SignedObject): Promise<BegunLink> => {
      const { status, answer } = await post(beginUrl(identityUrl), signed);
      const { requestId, linkUrl, expiresAt } = answer;
      if (status !== 200) throw refused(status, answer);
      const isId = typeof requestId === 'string' && /^[\w-]{1,200}$/.test(requestId);
      const isOwn = typeof linkUrl === 'string' && linkUrl.startsWith(`${identityUrl}/`);
      if (!isId || !isOwn || !isCount(expiresAt)) throw malformedReply();
      return { requestId, linkUrl, expiresAt };
    },
    pollLink: async (identityUrl: string, requestId: string): Promise<LinkPoll> => {
      const url = `${identityUrl}/api/identity/servers/link/${requestId}`;
      const { status, answer } = await ask({ method: 'GET', url });
      if (status === 404) return { state: 'failed', code: 'expired' };
      if (status === 429) return { state: 'pending' };
      if (status !== 200) throw refused(status, answer);
      switch (answer['status']) {
        case 'pending':
          return { state: 'pending' };
        case 'completed':
          return { state: 'completed', grant: answer['grant'] };
        case 'error':
          return { state: 'failed', code: codeIn(answer['error']) };
        default:
          throw malformedReply();
      }
    },
    /** Sends the new address or name of this server. */
    sendUpdate: async (identityUrl: string, signed: SignedObject): Promise<void> => {
      const { status, answer } = await post(beginUrl(identityUrl), signed);
      // The broker no longer has this server for any user, so there is nothing to update.
      if (status !== 200 && status !== 404) throw refused(status, answer);
    },
    /** `null` = nothing is new since the page with that tag. */
    feedPage: async (
      identityUrl: string,
      since: number,
      etag: string | null,
    ): Promise<FeedPage | null> => {
      const { status, headers, answer } = await ask({
        method: 'GET',
        url: `${identityUrl}/api/identity/revocations?since=${since}`,
        headers: etag === null ? {} : { 'if-none-match': etag },
      });
      if (status === 304 && etag !== null) return null;
      if (status !== 200) throw refused(status, answer);
      const { epoch, records, next, more } = answer;
      if (typeof epoch !== 'string' || epoch.length > 200 || !isList(records))
        throw malformedReply();
      if (!isCount(next) || typeof more !== 'boolean') throw malformedReply();
      if (records.length > mostRecords) throw malformedReply();
      return { epoch, records, next, more, etag: headers['etag'] ?? null };
    },
  };
}

function parsed(body: Uint8Array): Answer {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !isList(value)) return value as Answer;
  } catch {
    // Reported below.
  }
  throw malformedReply();
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z_]{1,60}$/.test(value);

function codeIn(error: unknown): string {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as Answer;
  return isCode(code) ? code : 'internal';
}

const unreachable = (why: string, cause?: unknown): AppError =>
  new AppError('broker_unreachable', { why: why.replace(/\.$/, '') }, { cause });

/** Quotes only the error code of the broker, because its text is not trusted. */
function refused(status: number, { error }: Answer): AppError {
  return unreachable(`it answered ${status}${isCode(error) ? ` ${error}` : ''}`);
}

const malformedReply = (): AppError => unreachable('its reply is not that of an identity broker');
