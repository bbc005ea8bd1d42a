/** The one way to the server: typed requests with the session's cookie and the chosen profile. */
import { createApiCall, type Resources } from '../../client/index.ts';
import type { Asked } from './early-parts.ts';
import { loadRefusals } from './messages.ts';

export type { Resources };

/** A refusal of the server. `code` is one of docs/errors.md. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait (`Retry-After`); 0 when it does not say. */
  readonly retryAfter: number;

  constructor(
    status: number,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    retryAfter: string | null = null,
  ) {
    super(message);
    this.retryAfter = Number(retryAfter) || 0;
    this.status = status;
    this.code = typeof details['code'] === 'string' ? details['code'] : 'failed';
    this.details = details;
  }
}

let csrfToken: string | undefined;
let profileId: string | undefined;
let language: string | undefined;

/** Sets the token that every change needs. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** Sets the profile that requests act as; `undefined` = the default profile. */
export function setProfile(id: string | undefined): void {
  profileId = id;
}

/** Sets the language that the profile prefers (BCP 47); `undefined` = that of the browser. */
export function setLanguage(tag: string | undefined): void {
  language = tag;
}

/** The headers of a request of this page. */
export function requestHeaders(): Readonly<Record<string, string>> {
  return {
    ...(csrfToken !== undefined && { 'x-csrf-token': csrfToken }),
    ...(profileId !== undefined && { 'x-profile-id': profileId }),
    ...(language !== undefined && { 'accept-language': language }),
  };
}

/** What `early.ts` asked for, if it is the same request. */
function takeEarly(path: string, { method = 'GET' }: RequestInit): Promise<Response> | undefined {
  const asked: Asked | undefined = globalThis.asked;
  if (method !== 'GET' || language !== undefined || asked?.profile !== profileId) return undefined;
  const reply = asked?.replies.get(path);
  asked?.replies.delete(path);
  return reply;
}

/** The id of the last event before the first read, by its feed and its number there. */
let firstEvent: { readonly feed: string; readonly number: number } | null | undefined;

/** Reads are answered in any order, so the smallest id counts. Those of two runs of the server do not compare. */
function noteEvent(id: string | null): void {
  if (id === null || firstEvent === null) return;
  const [, feed = '', digits = ''] = /^(.*)\.(\d+)$/.exec(id) ?? [];
  const number = Number(digits);
  if (firstEvent === undefined) firstEvent = { feed, number };
  else if (firstEvent.feed !== feed) firstEvent = null;
  else if (number < firstEvent.number) firstEvent = { feed, number };
}

/** The id of an event that is older than all that was read; `undefined` = not known. */
export const eventBeforeReads = (): string | undefined =>
  firstEvent ? `${firstEvent.feed}.${firstEvent.number}` : undefined;

/** What was asked for before the app was there, and is not taken by now, is old. */
export function forgetEarly(): void {
  globalThis.asked = undefined;
}

/** The last change that this page made to the libraries, which its searches must find. */
let change = 0;

async function replyTo(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(requestHeaders())) headers.set(name, value);
  if (change > 0 && path.startsWith('/api/search')) headers.set('x-vitrine-change', `${change}`);
  try {
    const early = takeEarly(path, init);
    const reply = await (early ?? fetch(path, { ...init, headers, credentials: 'same-origin' }));
    change = Math.max(change, Number(reply.headers.get('x-vitrine-change')));
    noteEvent(reply.headers.get('x-event-id'));
    return reply;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refusal(0, '', { code: 'unreachable' });
  }
}

/** Sends a request; rejects with a {@link Refusal}, status 0 if the server does not answer. */
export async function send(path: string, init: RequestInit = {}): Promise<unknown> {
  const reply = await replyTo(path, init);
  const body: unknown = reply.status === 204 ? null : await reply.json().catch(() => null);
  if (reply.ok) return body;
  await loadRefusals();
  const details = (body ?? {}) as Readonly<Record<string, unknown>>;
  const text = details['message'] ?? details['error'];
  const words = typeof text === 'string' ? text : '';
  throw new Refusal(reply.status, words, details, reply.headers.get('retry-after'));
}

/** Reads what is not JSON, as text; rejects like `send`. */
export async function readText(path: string): Promise<string> {
  const reply = await replyTo(path, {});
  if (!reply.ok) throw new Refusal(reply.status, '');
  return reply.text();
}

/** Calls an operation of the API document with its types. */
export const call = createApiCall(send);
