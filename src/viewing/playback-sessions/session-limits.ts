/**
 * How the places for playing are shared out. Of each kind one person has at most half, and at least
 * one. Where none is free, a session of a lower role gives way, guests to users and users to admins.
 * Without this, one person could hold all places for hours.
 */
import { isAtLeast } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Cost, SessionEntry, SharedCost } from './session-entry.ts';
import { roles } from '../../contract/resources/accounts/accounts.ts';

/**
 * How many sessions there may be at a time: whose segments are copied, with a converted picture, and
 * with converted sound beside a picture that is copied.
 */
export interface SessionLimits extends Readonly<Record<SharedCost, number>> {
  /** Places of each kind that are kept for admins. */
  readonly reserved: number;
}

const films: Readonly<Record<SharedCost, string>> = {
  remux: 'films in segments',
  picture: 'films with a converted picture',
  sound: 'films with converted sound',
};

/** The most places of one person. */
const shareOf = (places: number): number => Math.max(1, Math.ceil(places / 2));

const retrySeconds = '30';
const refusal = (what: string): AppError =>
  new AppError('transcode_limit', { what, seconds: retrySeconds });

/** Whether there is a place: `free`, the session that gives way for it, or the refusal. */
export function placeFor(
  cost: Cost,
  { userId, role }: Pick<SessionEntry, 'userId' | 'role'>,
  { others, limits }: { readonly others: readonly SessionEntry[]; readonly limits: SessionLimits },
): 'free' | SessionEntry | AppError {
  if (cost === 'nothing') return 'free';
  const alike = others.filter((session) => session.cost === cost);
  const countOf = (user: string): number => alike.filter((one) => one.userId === user).length;
  const share = shareOf(limits[cost]);
  if (countOf(userId) >= share)
    return refusal(`You play ${share} ${films[cost]} already, the most for one person.`);
  const kept = role === 'admin' ? 0 : limits.reserved;
  const rivals = role === 'admin' ? alike : alike.filter((session) => session.role !== 'admin');
  const isFull = alike.length >= limits[cost] || rivals.length >= limits[cost] - kept;
  if (!isFull) return 'free';
  const rankOf = (session: SessionEntry): number => roles.indexOf(session.role);
  // The sort is stable, and the oldest session comes first.
  const [least] = rivals
    .filter((session) => !isAtLeast(session.role, role))
    .toSorted(
      (one, other) => rankOf(other) - rankOf(one) || countOf(other.userId) - countOf(one.userId),
    );
  const forAdmins = kept > 0 ? `, and keeps ${kept} of these places for admins` : '';
  return least ?? refusal(`The server plays ${limits[cost]} ${films[cost]} at most${forAdmins}.`);
}
