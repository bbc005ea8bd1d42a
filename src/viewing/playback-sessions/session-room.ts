/** Which sessions end so that another one has a place. */
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { WantedSession } from '../../contract/resources/viewing/playback-sessions.ts';
import { isOf, type Cost, type SessionEntry } from './session-entry.ts';
import { placeFor, type SessionLimits } from './session-limits.ts';
import type { Leaving } from './session-register.ts';
import type { Session } from './session.ts';

/** The most sessions of a profile: the oldest ends, so that a client that forgets does not pile up. */
const mostOfProfile = 20;

/** What a place is looked for with. */
export interface Room {
  readonly others: readonly SessionEntry[];
  readonly limits: SessionLimits;
}

/**
 * Makes room for one more session of this cost: ends what the person leaves (`own`, the first one last),
 * or what gives way. Throws `transcode_limit` where nothing does.
 */
export function roomFor(
  cost: Cost,
  of: Pick<Session, 'userId' | 'role'>,
  { others, limits, own = [] }: Room & { readonly own?: readonly SessionEntry[] },
): readonly Leaving[] {
  const alike = own.filter((one) => one.cost === cost);
  const leaving = new Map<SessionEntry, Leaving>();
  for (;;) {
    const rest = others.filter((one) => !leaving.has(one));
    const place = placeFor(cost, of, { others: rest, limits });
    if (place === 'free') return [...leaving.values()];
    const left = alike.pop();
    if (left !== undefined) leaving.set(left, { entry: left, cause: 'left', gone: { by: null } });
    else if (place instanceof AppError) throw place;
    else leaving.set(place, { entry: place, cause: 'limit', gone: { by: of.role } });
  }
}

/** The same for a new session of a viewer, who has at most so many. */
export function roomForNew(
  cost: Cost,
  { wanted, viewer }: { readonly wanted: WantedSession; readonly viewer: Viewer },
  room: Room,
): readonly Leaving[] {
  const own = takenOverBy(wanted, viewer, room.others);
  const leaving = roomFor(cost, viewer, { ...room, own });
  const gone = new Set(leaving.map(({ entry }) => entry));
  const theirs = room.others.filter((one) => !gone.has(one) && isOf(one, viewer));
  const [oldest] = theirs.toSorted((one, other) => one.lastSeenAt - other.lastSeenAt);
  return theirs.length < mostOfProfile || oldest === undefined
    ? leaving
    : [...leaving, { entry: oldest, cause: 'left' }];
}

/**
 * The sessions that a new one of the same person may take over, the first one last: those of the item,
 * and those of the device, which play nothing that anybody still watches. An API key may be shared by
 * several devices, so it says nothing of them.
 */
function takenOverBy(
  { itemId, takesOver = true }: WantedSession,
  viewer: Viewer,
  others: readonly SessionEntry[],
): readonly SessionEntry[] {
  const isSame = (one: SessionEntry): boolean => one.itemId === itemId;
  const isOnDevice = ({ credentialId }: SessionEntry): boolean =>
    viewer.credentialKind !== 'api-key' && credentialId === viewer.credentialId;
  return others
    .filter((one) => takesOver && ((isSame(one) && isOf(one, viewer)) || isOnDevice(one)))
    .toSorted(
      (one, other) =>
        Number(isSame(one)) - Number(isSame(other)) || other.lastSeenAt - one.lastSeenAt,
    );
}
