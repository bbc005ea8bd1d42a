/** Sessions of the documents that need no sign-in. */
import { signedInKey, userKey } from '../core/early-parts.ts';

/** The token of the session is in a cookie that scripts cannot read. */
export const inCookie: RequestInit = { headers: { 'x-session': 'cookie' } };

/** Notes what the app needs to know after a request that opened a session, or asked whether there is one. */
export async function openSession<Answer extends object>(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  localStorage.setItem(signedInKey, '');
  // Tabs in which another person is in leave.
  if ('csrfToken' in answer) localStorage.removeItem(userKey);
  return answer;
}

/** A secret from the fragment of the address, removed from the address bar and the history. */
export function takeFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, '', location.pathname + location.search);
  return value;
}
