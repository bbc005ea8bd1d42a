/**
 * How far kept items were played and read. Each position is kept on the device first, with its time, and told to
 * the server as soon as it answers. The server keeps its own if that is newer.
 */
import { call, Refusal } from '../core/api.ts';
import { isOnline } from '../core/live.ts';
import { isUser, viewer } from '../core/session.ts';
import { forgetUntold, readUntold, writePlace } from './kept-store.ts';
import { keyOf, type KeptPlace, type Untold } from './kept.ts';

/** Refusals after which the same may be told later: no session, a locked profile, too much to do. */
const passing = new Set([0, 401, 403, 408, 425, 429]);

/** Whether a refusal of a position is only for now. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof Refusal) || passing.has(error.status) || error.status >= 500;

/** Seconds since a time of this device. A clock that was set back counts as no time. */
export const secondsSince = (at: number, now: number): number =>
  Math.min(1e8, Math.max(0, (now - at) / 1000));

async function tell(untold: Untold): Promise<void> {
  const { itemId, fileId, position, duration, at } = untold;
  const secondsAgo = secondsSince(at, Date.now());
  const body = { fileId, position, secondsAgo, ...(duration !== undefined && { duration }) };
  try {
    await call('put', '/api/items/{id}/playback', { path: { id: itemId }, body });
  } catch (error) {
    // An item that is gone, or that never takes this position, is told no more.
    if (isPassing(error)) throw error;
  }
  await forgetUntold(untold);
}

let telling: Promise<void> = Promise.resolve();

/** Tells what the profile played and the server does not know; rejects if the server does not answer. */
export function tellPlaces(): Promise<void> {
  telling = telling
    .catch(() => {})
    .then(async () => {
      const me = viewer.peek();
      if (me === null || !isUser.peek()) return;
      for (const one of await readUntold()) if (one.profileId === me.profileId) await tell(one);
    });
  return telling;
}

/** Keeps a position on the device. Positions of guests are not kept. */
export async function notePlace(itemId: string, place: Omit<KeptPlace, 'at'>): Promise<void> {
  const me = viewer.peek();
  if (me === null || !isUser.peek()) return;
  const { profileId, user } = me;
  const key = keyOf(profileId, itemId);
  await writePlace({ key, userId: user.id, profileId, itemId, ...place, at: Date.now() });
}

/** Keeps a position, and tells it if the server answers. */
export async function keepPlace(itemId: string, place: Omit<KeptPlace, 'at'>): Promise<void> {
  await notePlace(itemId, place);
  if (isOnline.peek()) tellPlaces().catch(() => {});
}
