import { AppError } from '../../platform/errors.ts';
import type { Decided, Session } from './session.ts';

/** How many sessions there may be at a time. */
export interface SessionLimits {
  /** Sessions whose segments are copied. */
  readonly remuxes: number;
  /** Sessions with a converted picture, in all and for one user. */
  readonly pictures: number;
  /** Sessions with converted sound beside a picture that is copied. */
  readonly sounds: number;
}

/** What a session costs the server. */
export type Cost = 'nothing' | 'remux' | 'picture' | 'sound';

/** The cost of what was decided. */
export function costOf({ mode, tracks }: Decided): Cost {
  if (mode === 'direct') return 'nothing';
  if (mode === 'remux') return 'remux';
  const hasPicture = tracks.some(({ track, way }) => track.kind === 'video' && way === 'convert');
  return hasPicture ? 'picture' : 'sound';
}

const retrySeconds = '30';

/** Throws `transcode_limit` when one more session of this cost is too many. */
export function assertRoom(
  cost: Cost,
  userId: string,
  { others, limits }: { readonly others: readonly Session[]; readonly limits: SessionLimits },
): void {
  const alike = others.filter((session) => costOf(session.decided) === cost);
  const full = (what: string): AppError =>
    new AppError('transcode_limit', { what, seconds: retrySeconds });
  if (cost === 'remux' && alike.length >= limits.remuxes)
    throw full(`The server sends ${limits.remuxes} films in segments at most.`);
  if (cost === 'sound' && alike.length >= limits.sounds)
    throw full(`The server converts the sound of ${limits.sounds} films at most.`);
  if (cost !== 'picture') return;
  const own = alike.filter((session) => session.userId === userId);
  if (alike.length >= limits.pictures || own.length >= limits.pictures)
    throw full(`The server converts the pictures of ${limits.pictures} films at most.`);
}
