import { parseJson, isRecord, isText, type JsonRecord } from './json.ts';
import { toRefusal } from './ask.ts';
import { IdentityError } from './identity-error.ts';

/** Who the server says that the session is. */
export interface Me {
  readonly userId: string;
  readonly localUserId: string;
  readonly role: string;
  readonly [key: string]: unknown;
}

/** A library; whatever else the server says of it is there, too. */
export interface Library {
  readonly id: string;
  readonly name: string;
  /** Open: `movies tv music audiobooks books photos`. */
  readonly type: string;
  readonly itemCount: number;
  readonly [key: string]: unknown;
}

/** An item; whatever else the server says of it is there, too. */
export interface Item {
  readonly id: string;
  readonly libraryId: string;
  readonly title: string;
  readonly metadata: JsonRecord;
  readonly [key: string]: unknown;
}

/** What to list, and how. */
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
  /** `null` = that was all. */
  readonly nextCursor: string | null;
}

/** The REST interface as far as it is typed here; `json` and `fetch` reach all of it. */
export interface Rest {
  readonly me: () => Promise<Me>;
  readonly libraries: () => Promise<readonly Library[]>;
  readonly items: (query?: ItemQuery) => Promise<ItemPage>;
  /** The body of a good answer; rejects with `request_failed` and the status otherwise. */
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
    if (!isRecord(body)) throw new IdentityError('bad_reply', { detail: `${path} is no JSON.` });
    return body;
  }

  return {
    json,
    me: async () => {
      const me = await record('/api/auth/identity/me');
      if (!isMe(me)) throw new IdentityError('bad_reply', { detail: 'It says not who it is.' });
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
  throw new IdentityError('bad_reply', { detail: 'The list is none, or holds something else.' });
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
