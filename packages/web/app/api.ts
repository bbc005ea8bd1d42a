import { signedInKey, userKey } from '../core/early-parts.ts';
import { errorText, t } from './words.ts';

/** A refusal of the server, with its message. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code: string | undefined) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Calls the server; rejects with a {@link Refusal}. */
export async function call<Answer = unknown>(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const reply = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, t('error.unreachable'), undefined);
  });
  const answer: unknown = reply.status === 204 ? null : await reply.json().catch(() => null);
  if (reply.ok) return answer as Answer;
  const { error, message, code } = (answer ?? {}) as Readonly<Record<string, string | undefined>>;
  throw new Refusal(
    reply.status,
    errorText(code, { seconds: reply.headers.get('retry-after') ?? '600' }) ??
      message ??
      error ??
      t('error.status', { status: reply.status }),
    code,
  );
}

export const get = <Answer>(path: string): Promise<Answer> => call<Answer>('GET', path);
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> =>
  call<Answer>('POST', path, body);

/**
 * Signs in with a request that creates a session, or asks whether there is one by now; the token is in a
 * cookie that scripts cannot read.
 */
export async function openSession<Answer = unknown>(path: string, body: object): Promise<Answer> {
  const answer = await call<Answer>('POST', path, body, { 'x-session': 'cookie' });
  localStorage.setItem(signedInKey, '');
  // Tabs in which another person is in leave.
  if (answer instanceof Object && 'csrfToken' in answer) localStorage.removeItem(userKey);
  return answer;
}

/** A secret from the fragment of the address, removed from the address bar and the history. */
export function takeFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, '', location.pathname + location.search);
  return value;
}
