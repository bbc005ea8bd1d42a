/** Requests for JSON. An answer that is not one counts as "not now": it is from a proxy, or cut off. */
import type { FetchResult, Host } from '../../plugin-api/index.ts';

/** The catalogue cannot answer now. */
export class NotNow extends Error {}

/** Asks a path below the address of the catalogue; `null` = it has no such entry. */
export type Ask = (path: string) => Promise<unknown>;

/** Error codes of the host that mean: try later. */
const away: ReadonlySet<unknown> = new Set([
  'net_unreachable',
  'net_timeout',
  'quota_exceeded',
  'overloaded',
  'too_large',
]);

export interface AskParts {
  /** The address, with or without a slash at its end. */
  readonly baseUrl: string;
  /** Seconds for which an answer is used again. */
  readonly maxAge: number;
  /** Added to the query of each request: a key, as `{secret:name}`. */
  readonly query?: string;
  /**
   * Milliseconds for all requests of one call, which then go one after the other: for a service that
   * answers so rarely that a batch does not fit into one call. What is left is asked later.
   */
  readonly patience?: number;
}

/** Creates it. Equal questions of one call are asked once. */
export function createAsk(net: Host['net'], { baseUrl, maxAge, query, patience }: AskParts): Ask {
  const base = baseUrl.replace(/\/+$/, '');
  const asked = new Map<string, Promise<unknown>>();
  const turn = patience === undefined ? atOnce : oneByOne(patience);

  async function ask(path: string): Promise<unknown> {
    const more = query === undefined ? '' : `${path.includes('?') ? '&' : '?'}${query}`;
    return readReply(await net.fetch({ url: `${base}${path}${more}`, maxAge }), path);
  }

  return (path) => {
    const answer = asked.get(path) ?? turn(() => ask(path));
    asked.set(path, answer);
    return answer;
  };
}

type Turn = <Value>(action: () => Promise<Value>) => Promise<Value>;

const atOnce: Turn = (action) => action();

/** Each after the one before, until the time is over. */
function oneByOne(patience: number): Turn {
  const end = Date.now() + patience;
  let last: Promise<unknown> = Promise.resolve();
  return (action) => {
    const mine = last.then(() => {
      if (Date.now() >= end) throw new NotNow('The batch takes too long: the rest is asked later.');
      return action();
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The JSON of a reply; `null` = the catalogue has no such entry. */
export function readReply({ status, body }: Reply, path: string): unknown {
  if (status === 404 || status === 410) return null;
  if (status === 429 || status >= 500) throw new NotNow(`The catalogue answers ${status}.`);
  if (status === 401 || status === 403)
    throw new Error(
      `The catalogue answers ${status}: it refuses the key, or a server without --contact.`,
    );
  if (status !== 200) throw new Error(`The catalogue answers ${status} to ${path}.`);
  return parse(body);
}

type Reply = Pick<FetchResult, 'status' | 'body'>;

/** Whether the answer is larger than the server takes. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'too_large';

/** Whether the question should be asked again later. */
export function isLater(error: unknown): boolean {
  if (error instanceof NotNow) return true;
  return error instanceof Error && 'code' in error && away.has(error.code);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new NotNow('The catalogue answers something that is not JSON.');
  }
}
