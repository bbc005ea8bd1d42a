/** Another tab may sign out, or in as somebody else: the pages of the first person then leave. */
import { userKey } from './early-parts.ts';
import { viewer } from './session.ts';

/** Whether the browser is still signed in as the person of this page. */
export const isStillMe = (): boolean =>
  localStorage.getItem(userKey) === (viewer.peek()?.user.id ?? null);

/** Shows nothing more of the person once another tab signed out, or in as somebody else. */
export function leaveWithOthers(): void {
  const leave = (): void => {
    if (!isStillMe()) location.reload();
  };
  addEventListener('storage', leave);
  // A page that the browser kept whole while the person was elsewhere.
  addEventListener('pageshow', leave);
  // It may have happened while the page was loaded.
  leave();
}
