import { parseJson, isRecord, isText, type JsonRecord } from './json.ts';
import { toRefusal } from './ask.ts';
import { IdentityError } from './identity-error.ts';

/** The user of the session, from the server. */
export interface Me {
  readonly userId: string;
  readonly localUserId: string;
  readonly role: string;
  readonly [key: string]: unknown;
}

/** A library, with any further fields of the server. */
export interface Library {
  readonly id: string;
  readonly name: string;
  /** Open set: `movies tv music audiobooks books photos`. */
  readonly type: string;
  readonly itemCount: number;
  readonly [key: string]: unknown;
}

/** An item, with any further fields of the server. */
export interface Item {
  readonly id: string;
  readonly libraryId: string;
  readonly title: string;
  readonly metadata: JsonRecord;
  readonly [key: string]: unknown;
}

/** The filter and the order of a list. */
export interface ItemQuery {
  readonly libraryId?: string;
  /** Only libraries of this type. */
  readonly type?: string;
  readonly sortBy?: 'title' | 'addedAt' | 'year';
  readonly sortOrder?: 'asc' | 'desc';
  /** 1 to 500. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page of items. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** `null` = this is the last page. */
  readonly nextCursor: string | null;
}

/** The typed part of the REST interface; `json` and `fetch` reach all of it. */
export interface Rest {
  readonly me: () => Promise<Me>;
  readonly libraries: () => Promise<readonly Library[]>;
  readonly items: (query?: ItemQuery) => Promise<ItemPage>;
  /** The body of a successful reply; otherwise rejects with `request_failed` and the status. */
  readonly json: (path: string, init?: RequestInit) => Promise<unknown>;
}

export function createRest(fetch: (path: string, init?: RequestInit) => Promise<Response>): Rest {
  async function json(path: string, init?: RequestInit): Promise<unknown> {
    const response = await fetch(path, init);
    const body = parseJson(await response.text());
    if (!response.ok) throw failure(response, body);
    return body;
  }

  async function record(path: string): Promise<JsonRecord> {
    const body = await json(path);
    if (!isRecord(body))
      throw new IdentityError('bad_reply', { detail: `The reply to ${path} is not JSON.` });
    return body;
  }

  return {
    json,
    me: async () => {
      const me = await record('/api/auth/identity/me');
      if (!isMe(me))
        throw new IdentityError('bad_reply', { detail: 'The reply does not name its user.' });
      return me;
    },
    libraries: async () => listOf((await record('/api/libraries'))['libraries'], isLibrary),
    items: async (query = {}) => {
      const { items, nextCursor } = await record(`/api/items${toQuery(query)}`);
      return {
        items: listOf(items, isItem),
        nextCursor: isText(nextCursor) ? nextCursor : null,
      };
    },
  };
}

function failure(response: Response, body: unknown): IdentityError {
  const { code, details } = toRefusal(response.status, body, response.headers.get('retry-after'));
  const wireCode = details.wireCode ?? code;
  return new IdentityError('request_failed', { ...details, status: response.status, wireCode });
}

function toQuery(query: ItemQuery): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function listOf<One>(value: unknown, is: (one: unknown) => one is One): readonly One[] {
  if (Array.isArray(value) && value.every(is)) return value;
  throw new IdentityError('bad_reply', { detail: 'The list is missing or malformed.' });
}

const isMe = (value: JsonRecord): value is Me =>
  isText(value['userId']) && isText(value['localUserId']) && isText(value['role']);

const isLibrary = (value: unknown): value is Library =>
  isRecord(value) &&
  isText(value['id']) &&
  isText(value['name']) &&
  isText(value['type']) &&
  typeof value['itemCount'] === 'number';

const isItem = (value: unknown): value is Item =>
  isRecord(value) &&
  isText(value['id']) &&
  isText(value['libraryId']) &&
  isText(value['title']) &&
  isRecord(value['metadata']);
