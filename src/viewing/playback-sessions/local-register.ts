/** The sessions of the only server, in its memory: they end with it. */
import { LRUCache } from 'lru-cache';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import { entryOf, isOf, type SessionEntry } from './session-entry.ts';
import {
  mostGone,
  patienceMs,
  sweepMs,
  type GoneEntry,
  type OpenRegister,
} from './session-register.ts';
import type { Session } from './session.ts';

export const createLocalRegister =
  (clock: Clock): OpenRegister =>
  ({ ended }) => {
    const steady = steadyOf(clock);
    const sessions = new Map<string, Session>();
    const gone = new LRUCache<string, GoneEntry>({ max: mostGone });
    let sweeping: Undo | null = null;

    function sweep(): void {
      sweeping = null;
      for (const session of [...sessions.values()])
        if (steady.now() - session.lastSeenAt >= patienceMs[session.state]) {
          sessions.delete(session.id);
          ended(entryOf(session), 'left');
        }
      sweepLater();
    }

    function sweepLater(): void {
      if (sessions.size > 0) sweeping ??= clock.after(sweepMs, sweep);
    }

    function take(id: string): SessionEntry | null {
      const session = sessions.get(id);
      sessions.delete(id);
      return session === undefined ? null : entryOf(session);
    }

    const all = (): readonly SessionEntry[] => [...sessions.values()].map(entryOf);

    return {
      find: (id) => {
        const session = sessions.get(id);
        return Promise.resolve(session === undefined ? (gone.get(id) ?? null) : entryOf(session));
      },
      open: ({ id }) => {
        const session = sessions.get(id);
        if (session === undefined) throw new Error('The session was found before it was opened.');
        return Promise.resolve(session);
      },
      all: () => Promise.resolve(all()),
      admit: async (session, choose, isNew) => {
        if (!isNew && !sessions.has(session.id)) return false;
        for (const leaving of choose(all().filter(({ id }) => id !== session.id))) {
          const { entry, cause, gone: why } = leaving;
          const { id, userId, profileId } = entry;
          sessions.delete(id);
          if (why !== undefined) gone.set(id, { userId, profileId, ...why });
          ended(entry, cause);
        }
        sessions.set(session.id, Object.assign(sessions.get(session.id) ?? session, session));
        sweepLater();
        return true;
      },
      holds: (id) => sessions.has(id),
      seen: (session) => {
        session.lastSeenAt = steady.now();
      },
      moved: (session) => {
        session.lastSeenAt = steady.now();
        return Promise.resolve();
      },
      tells: (session) => {
        const isFirst = session.told === null;
        session.told ??= { progress: 0, at: steady.now() };
        return Promise.resolve(isFirst);
      },
      remove: (id) => Promise.resolve(take(id)),
      removeThose: ({ userId, credentialIds }) =>
        Promise.resolve(
          [...sessions.values()]
            .filter((one) => one.userId === userId || credentialIds.includes(one.credentialId))
            .flatMap(({ id }) => take(id) ?? []),
        ),
      areOwn: (viewer, ids) =>
        Promise.resolve(
          ids.every((id) => {
            const session = sessions.get(id);
            return session === undefined || isOf(session, viewer);
          }),
        ),
      counts: () => {
        const counts = { direct: 0, remux: 0, convert: 0 };
        for (const { decided } of sessions.values()) counts[decided.mode] += 1;
        return counts;
      },
      close: () => {
        sweeping?.();
        return [...sessions.keys()].flatMap((id) => take(id) ?? []);
      },
    };
  };
