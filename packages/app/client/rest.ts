import {
  createApiCall,
  queryOf,
  type ApiCall,
  type RequestOf,
  type Resources,
} from './api-call.ts';
import { parseJson, isRecord, isText, type JsonRecord } from './json.ts';
import { toRefusal } from './ask.ts';
import { IdentityError } from './identity-error.ts';

/** The user of the session, from the server. */
export type Me = Resources['IdentityViewer'];

/** A library. */
export type Library = Resources['Library'];

/** An item as lists show it. */
export type Item = Resources['Item'];

/** The filter and the order of a list. */
export type ItemQuery = Omit<NonNullable<RequestOf<'/api/items', 'get'>['query']>, 'fields'>;

/** A page of items. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** `null` = this is the last page. */
  readonly nextCursor: string | null;
}

/** The REST interface of a server. */
export interface Rest {
  /** Any operation, with the types of the API document; rejects as `json` does. */
  readonly call: ApiCall;
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
    call: createApiCall(json),
    me: async () => {
      const me = await record('/api/auth/identity/me');
      if (!isMe(me))
        throw new IdentityError('bad_reply', { detail: 'The reply does not name its user.' });
      return me;
    },
    libraries: async () => listOf((await record('/api/libraries'))['libraries'], isLibrary),
    items: async (query = {}) => {
      const { items, nextCursor } = await record(`/api/items${queryOf(query)}`);
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

function listOf<One>(value: unknown, is: (one: unknown) => one is One): readonly One[] {
  if (Array.isArray(value) && value.every(is)) return value;
  throw new IdentityError('bad_reply', { detail: 'The list is missing or malformed.' });
}

/** The fields without which the client itself cannot work; the rest is as the server sends it. */
const isMe = (value: JsonRecord): value is Me & JsonRecord =>
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
