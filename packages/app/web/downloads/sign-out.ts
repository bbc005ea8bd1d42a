import { call, Refusal } from '../core/api.ts';
import { userKey } from '../core/early-parts.ts';
import { hasDownloads } from '../core/session.ts';

/** Tells the server what was played on this device, ends the session, and removes what is kept here. */
async function signOutAndClear(end: () => Promise<unknown>): Promise<void> {
  const [{ tellPlaces }, { clearDevice }] = await Promise.all([
    import('./places.ts'),
    import('./device.ts'),
  ]);
  await tellPlaces().catch(() => {});
  await end();
  await clearDevice();
}

/** Ends the session, removes what is kept on this device, and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  const end = () =>
    call('post', '/api/auth/logout').catch((error: unknown) => {
      // The session ended before: what is kept here is removed all the same.
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
    });
  await (hasDownloads() ? signOutAndClear(end) : end());
  // The other tabs leave as well.
  localStorage.removeItem(userKey);
  location.replace('/sign-in');
}
