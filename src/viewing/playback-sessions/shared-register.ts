/**
 * The sessions of several servers, in their database. Any of them plays any session:
 *
 * - A row says how the session is played, so that a server which sees it for the first time plays the same
 *   segments. It decides nothing itself: its machine may be another one.
 * - Each request reads the row. So a session that ended anywhere has ended everywhere, and its place is
 *   free. What was read is compared with nothing in a link: a link that was copied opens no ended session.
 * - The last use and the position of a session are written at most every ten seconds.
 * - Those who want a place choose one after the other, so the limits hold for all servers together.
 */
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { LinkTokens } from '../../people/credentials/index.ts';
import { withHidden, type Viewer } from '../../people/viewer/index.ts';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { plainKeyOf } from '../transcoding/index.ts';
import { clientOf } from './client.ts';
import { candidatesOf } from './play-info.ts';
import type { FindPlayable } from './playable-file.ts';
import { entryOf, type SessionEntry } from './session-entry.ts';
import {
  sweepMs,
  type GoneEntry,
  type OpenRegister,
  type SessionRegister,
} from './session-register.ts';
import type { Session } from './session.ts';
import {
  changeRow,
  countsOf,
  decisionOf,
  deleteLeft,
  deleteRow,
  deleteThose,
  findRow,
  hasLeft,
  hasOthers,
  insertRow,
  markGone,
  noteMoved,
  noteSeen,
  noteTold,
  playing,
  type SessionRow,
} from './shared-session-store.ts';

export interface SharedRegisterParts {
  readonly database: Database;
  /** The id of this process. */
  readonly server: string;
  /** Calls back with the sessions that another server ended; `null` = any. */
  readonly onEnded: (listener: (ids: readonly string[] | null) => void) => void;
  readonly isLeader: () => boolean;
  readonly find: FindPlayable;
  readonly tokens: Pick<LinkTokens, 'create'>;
  readonly hasActiveLicense: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a row says of how a session is played. Only this file writes it. */
interface Decision extends Pick<
  Session,
  'expiresAt' | 'showsHidden' | 'wantedMode' | 'given' | 'selection' | 'decided'
> {
  /** The file for which it was decided. */
  readonly file: Pick<Session['file'], 'size' | 'modifiedAt' | 'contentKey'>;
}

/** A session as this server knows it. */
interface Known {
  readonly revision: number;
  readonly session: Promise<Session>;
}

/** Between two writes of the same kind. */
const writeEveryMs = 9000;
/** The last use that is written may be so much older than the last use. */
const slackMs = 15_000;
const mostKnown = 5000;

export const createSharedRegister =
  (parts: SharedRegisterParts): OpenRegister =>
  ({ ended, endedElsewhere }) => {
    const { database, server, clock, log } = parts;
    const { read, write } = database;
    const steady = steadyOf(clock);
    const known = new LRUCache<string, Known>({ max: mostKnown });
    const rows = new WeakMap<SessionEntry | Session, SessionRow>();
    let counts: Readonly<ReturnType<SessionRegister['counts']>> = {
      direct: 0,
      remux: 0,
      convert: 0,
    };
    let cancel: Undo = clock.after(sweepMs, sweep);
    let isClosed = false;

    parts.onEnded((ids) => {
      // Which ended is not known: those that have not are known again at their next use.
      if (ids === null) known.clear();
      for (const id of ids ?? []) {
        known.delete(id);
        endedElsewhere(id);
      }
    });

    function sweep(): void {
      void look()
        .catch((err: unknown) => log.debug({ err }, 'Playback sessions were not looked through.'))
        .finally(() => {
          if (!isClosed) cancel = clock.after(sweepMs, sweep);
        });
    }

    async function look(): Promise<void> {
      if (parts.isLeader() && (await hasLeft(read, slackMs)))
        for (const row of await write((trx) => deleteLeft(trx, slackMs))) over(row, 'left');
      counts = await countsOf(read, server);
    }

    function over(row: SessionRow, cause: 'left' | 'failed'): void {
      known.delete(row.id);
      ended(toEntry(row), cause);
    }

    function toEntry(row: SessionRow): SessionEntry {
      const entry: SessionEntry = {
        id: row.id,
        createdAt: row.created_at,
        credentialId: row.credential_id,
        userId: row.user_id,
        profileId: row.profile_id,
        role: row.role,
        state: row.state,
        position: row.position,
        lastSeenAt: steady.now() - row.seen_ms,
        told:
          row.told === null ? null : { progress: row.told, at: steady.now() - (row.told_ms ?? 0) },
        itemId: row.item_id,
        fileId: row.file_id,
        duration: row.duration,
        mode: row.mode,
        cost: row.cost,
        reasons: JSON.parse(row.reasons) as SessionEntry['reasons'],
      };
      rows.set(entry, row);
      return entry;
    }

    /** The session as it was decided; the file is looked at with the rights of the viewer. */
    async function rebuild(entry: SessionEntry, viewer: Viewer): Promise<Session> {
      const text = await decisionOf(read, entry.id);
      if (text === undefined)
        throw new AppError('not_found', { what: `Playback session ${entry.id}` });
      const { file: of, ...decision } = JSON.parse(text) as Decision;
      const sees = withHidden(viewer, decision.showsHidden, parts.hasActiveLicense);
      const file = await parts.find(entry.fileId, sees);
      const isSame = file.size === of.size && file.modifiedAt === of.modifiedAt;
      // A server on whose disks it is not names the content by what a scan saw.
      const names = file.isAway === true ? [of.contentKey] : [file.contentKey, plainKeyOf(file)];
      if (!isSame || !names.includes(of.contentKey)) throw new AppError('file_changed', {});
      // The same link is made again, so that no link stands in the database.
      const left = Date.parse(decision.expiresAt) / 1000 - Math.floor(clock.now() / 1000);
      const { token } = parts.tokens.create({ kind: 'session', id: entry.id }, entry, left);
      const client = clientOf(decision.given, candidatesOf(file));
      const named = { ...file, contentKey: of.contentKey };
      return { ...entry, ...decision, token, file: named, client };
    }

    const decisionIn = (session: Session): string => {
      const { expiresAt, showsHidden, wantedMode, given, selection, decided, file } = session;
      const { size, modifiedAt, contentKey } = file;
      const kept: Decision = {
        ...{ expiresAt, showsHidden, wantedMode, given, selection, decided },
        file: { size, modifiedAt, contentKey },
      };
      return JSON.stringify(kept);
    };

    /** In the background: a use that is not written is written with the next one. */
    function later(work: Promise<unknown>): void {
      work.catch((err: unknown) =>
        log.debug({ err }, 'The use of a playback session was not kept.'),
      );
    }

    return {
      find: async (id) => {
        const row = await findRow(read, id);
        if (row === undefined) return null;
        if (row.gone_for === null) return toEntry(row);
        known.delete(id);
        return toGone(row);
      },
      open: async (entry, viewer) => {
        const row = rows.get(entry);
        if (row === undefined) throw new Error('The entry was not found here.');
        let found = known.get(entry.id);
        if (found?.revision !== row.revision) {
          const session = rebuild(entry, viewer);
          found = { revision: row.revision, session };
          known.set(entry.id, found);
          session.catch(() => known.delete(entry.id));
        }
        const session = await found.session;
        const { state, position, told, lastSeenAt } = entry;
        Object.assign(session, { state, position, told, lastSeenAt });
        rows.set(session, row);
        return session;
      },
      all: async () => (await playing(read)).map(toEntry),
      admit: async (session, choose, isNew) => {
        const decision = decisionIn(session);
        const entry = entryOf(session);
        const { leaving, revision } = await write(async (trx) => {
          const others = (await playing(trx)).filter(({ id }) => id !== entry.id);
          const leaves = choose(others.map(toEntry));
          const at = isNew ? 1 : await changeRow(trx, entry, decision);
          if (at === null) return { leaving: [], revision: null };
          if (isNew) await insertRow(trx, entry, { decision, server });
          for (const { entry: one, gone } of leaves)
            if (gone === undefined) await deleteRow(trx, one.id);
            else await markGone(trx, one.id, gone.by ?? 'same');
          return { leaving: leaves, revision: at };
        });
        for (const { entry: one, cause } of leaving) {
          known.delete(one.id);
          ended(one, cause);
        }
        if (revision === null) known.delete(entry.id);
        else known.set(entry.id, { revision, session: Promise.resolve(session) });
        return revision !== null;
      },
      holds: (id) => known.has(id),
      seen: (session) => {
        const row = rows.get(session);
        if (row === undefined || row.seen_ms < writeEveryMs) return;
        // Requests that come meanwhile write nothing.
        rows.set(session, { ...row, seen_ms: 0 });
        later(write((trx) => noteSeen(trx, session.id, server)));
      },
      moved: async (session, isUrgent) => {
        const row = rows.get(session);
        if (!isUrgent && row !== undefined && row.moved_ms < writeEveryMs) return;
        await write((trx) => noteMoved(trx, session, server));
      },
      tells: async (session) => {
        const isFirst = await write((trx) => noteTold(trx, session.id));
        session.told ??= { progress: 0, at: steady.now() };
        return isFirst;
      },
      remove: async (id) => {
        known.delete(id);
        const [row] = await write((trx) => deleteRow(trx, id));
        return row === undefined ? null : toEntry(row);
      },
      removeThose: async (of) => {
        const gone = await write((trx) => deleteThose(trx, of));
        for (const { id } of gone) known.delete(id);
        return gone.map(toEntry);
      },
      areOwn: async (viewer, ids) => ids.length === 0 || !(await hasOthers(read, viewer, ids)),
      counts: () => counts,
      close: () => {
        isClosed = true;
        cancel();
        return [];
      },
    };
  };

const toGone = ({
  user_id: userId,
  profile_id: profileId,
  gone_for: by,
}: SessionRow): GoneEntry => ({
  userId,
  profileId,
  by: by === 'same' ? null : by,
});
