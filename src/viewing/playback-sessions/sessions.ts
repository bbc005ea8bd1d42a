/**
 * Sessions of playing. A session belongs to one profile of one user: for all others it does not exist.
 * Each use asks the access filter again, so a user who loses a library stops seeing it within one segment.
 * A session ends when its client says so, some time after the last use, or when it gives way.
 */
import { LRUCache } from 'lru-cache';
import type { Items } from '../../library/catalogue/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { LinkTokens } from '../../people/credentials/index.ts';
import { isFullAdmin, withHidden, type Role, type Viewer } from '../../people/viewer/index.ts';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { Playback } from '../playback/index.ts';
import type { Conversions } from '../transcoding/index.ts';
import { clientOf } from './client.ts';
import { candidatesOf, playableFiles } from './play-info.ts';
import { idOf, streamsOf } from './play-tracks.ts';
import { secondsOf, type FindPlayable, type PlayableFile } from './playable-file.ts';
import type { PrepareSegments } from './prepare-segments.ts';
import { selectionOf, type DecideSession } from './session-decision.ts';
import { createSessionEvents, type Cause, type EmitTranscode } from './session-events.ts';
import { costOf, placeFor, type Cost, type SessionLimits } from './session-limits.ts';
import { toShownSession, toSummary } from './session-view.ts';
import type { PlayMode, Selection, Session } from './session.ts';
import type {
  GivenClient,
  SessionChange,
  SessionSummary,
  ShownSession,
  WantedSession,
} from '../../contract/resources/viewing/playback-sessions.ts';

/** The sessions of this server. */
export interface PlaybackSessions {
  readonly create: (wanted: WantedSession, viewer: Viewer) => Promise<ShownSession>;
  /** The heartbeat; it also keeps the position for the profile. */
  readonly update: (id: string, change: SessionChange, viewer: Viewer) => Promise<ShownSession>;
  readonly end: (id: string, viewer: Viewer) => Promise<void>;
  /** Those of the viewer's profile; for admins of the whole server all that they may see. */
  readonly list: (viewer: Viewer) => Promise<readonly SessionSummary[]>;
  /**
   * The viewer's own session, which counts as used now. `gave_way` or `taken_over` when another one has
   * its place, `not_found` for anything else.
   */
  readonly use: (id: string, viewer: Viewer) => Session;
  /** The viewer of a session, with hidden things shown as when it began. */
  readonly viewerIn: (session: Session, viewer: Viewer) => Viewer;
  /** A converted segment was sent. */
  readonly converted: (session: Session) => void;
  /** The viewer may not see its file any longer. */
  readonly lost: (session: Session) => void;
  /** Whether none of these ids is that of somebody else's session. */
  readonly areOwn: (viewer: Viewer, ids: readonly string[]) => boolean;
  /** Ends the sessions of these credentials or users. */
  readonly endThose: (isOne: (of: Pick<Session, 'userId' | 'credentialId'>) => boolean) => void;
  readonly counts: () => Readonly<Record<PlayMode, number>>;
  /** Ends all sessions; no new one begins. */
  readonly close: () => void;
}

export interface PlaybackSessionsParts {
  readonly items: Pick<Items, 'get'>;
  readonly access: Pick<Access, 'filterVisible'>;
  readonly find: FindPlayable;
  readonly decide: DecideSession;
  readonly prepare: PrepareSegments;
  readonly conversions: Pick<Conversions, 'told' | 'missing' | 'rateOf'>;
  readonly playback: Pick<Playback, 'put'>;
  readonly tokens: Pick<LinkTokens, 'create'>;
  readonly emit: EmitTranscode;
  readonly limits: SessionLimits;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  readonly hasActiveLicense: () => boolean;
}

/** A session that another one ended: one of a role, or of the same person (`null`). */
type Gone = Pick<Session, 'userId' | 'profileId'> & { readonly by: Role | null };

const idleMs = 60_000;
const pausedMs = 30 * 60_000;
const sweepMs = 5000;
/** Longer than the longest film with pauses; a session ends long before, when nobody uses it. */
const lifetimeSeconds = 24 * 60 * 60;
/** The most sessions of a profile: the oldest ends, so that a client that forgets does not pile up. */
const mostOfProfile = 20;
/** The most sessions of which it is known that they gave way. */
const mostGone = 1000;

export function createPlaybackSessions(parts: PlaybackSessionsParts): PlaybackSessions {
  const { access, find, decide, conversions, clock, limits, publicUrl } = parts;
  const steady = steadyOf(clock);
  const sessions = new Map<string, Session>();
  const gone = new LRUCache<string, Gone>({ max: mostGone });
  const events = createSessionEvents(parts.emit, steady.now, conversions.rateOf);
  let sweeping: Undo | null = null;
  let isClosed = false;

  function end(session: Session, cause: Cause): void {
    if (!sessions.delete(session.id)) return;
    conversions.told(session.id, 'ended');
    events.stopped(session, cause);
  }

  function sweep(): void {
    sweeping = null;
    for (const session of [...sessions.values()]) {
      const patience = session.state === 'paused' ? pausedMs : idleMs;
      if (steady.now() - session.lastSeenAt >= patience) end(session, 'left');
    }
    sweepLater();
  }

  function sweepLater(): void {
    if (sweeping === null && sessions.size > 0 && !isClosed) sweeping = clock.after(sweepMs, sweep);
  }

  const isOf = (
    session: Pick<Session, 'userId' | 'profileId'> | undefined,
    viewer: Viewer,
  ): boolean => session?.userId === viewer.userId && session.profileId === viewer.profileId;

  const isOwn = (id: string, viewer: Viewer): boolean => isOf(sessions.get(id), viewer);

  function own(id: string, viewer: Viewer): Session {
    const session = sessions.get(id);
    const before = gone.get(id);
    if (before !== undefined && isOf(before, viewer))
      throw before.by === null
        ? new AppError('taken_over', {})
        : new AppError('gave_way', { by: before.by });
    if (session === undefined || !isOwn(id, viewer))
      throw new AppError('not_found', { what: `Playback session ${id.slice(0, 100)}` });
    return session;
  }

  function use(id: string, viewer: Viewer): Session {
    const session = own(id, viewer);
    session.lastSeenAt = steady.now();
    return session;
  }

  /** The way for the selection. Where nobody chose the sound, another one in its language may do. */
  async function decideFor(
    file: PlayableFile,
    wanted: Pick<WantedSession, 'audio' | 'subtitle' | 'mode'>,
    client: Session['client'],
  ) {
    const first = selectionOf(file, wanted);
    const mode = wanted.mode ?? 'auto';
    const selections = wanted.audio === undefined ? alternatives(file, first) : [first];
    let refusal: unknown = null;
    for (const selection of selections) {
      try {
        return { selection, decided: await decide({ file, client, selection, mode }) };
      } catch (error) {
        const isMissing = error instanceof AppError && error.code === 'transcoder_missing';
        refusal ??= error;
        if (!isMissing) throw error;
      }
    }
    throw refusal;
  }

  function dropOldest(viewer: Viewer): void {
    const theirs = [...sessions.values()].filter(
      ({ userId, profileId }) => userId === viewer.userId && profileId === viewer.profileId,
    );
    const [oldest] = theirs.toSorted((one, other) => one.lastSeenAt - other.lastSeenAt);
    if (theirs.length >= mostOfProfile && oldest !== undefined) end(oldest, 'left');
  }

  /**
   * The sessions that a new one of the same person may take over, the first one last: those of the item,
   * and those of the device, which play nothing that anybody still watches. An API key may be shared by
   * several devices, so it says nothing of them.
   */
  function takenOverBy({ itemId, takesOver = true }: WantedSession, viewer: Viewer): Session[] {
    const isSame = ({ file }: Session): boolean => file.itemId === itemId;
    const isOnDevice = ({ credentialId }: Session): boolean =>
      viewer.credentialKind !== 'api-key' && credentialId === viewer.credentialId;
    return [...sessions.values()]
      .filter((one) => takesOver && ((isSame(one) && isOf(one, viewer)) || isOnDevice(one)))
      .toSorted(
        (one, other) =>
          Number(isSame(one)) - Number(isSame(other)) || other.lastSeenAt - one.lastSeenAt,
      );
  }

  /** Ends a session whose place another one needs: one of a role, or of the same person (`null`). */
  function giveAway(session: Session, by: Role | null): void {
    const { userId, profileId } = session;
    gone.set(session.id, { userId, profileId, by });
    end(session, by === null ? 'left' : 'limit');
  }

  /**
   * Makes room for one more session of this cost, beside those of `before`: ends what the person leaves,
   * or what gives way. Throws `transcode_limit` where nothing does.
   */
  function takeRoom(
    cost: Cost,
    of: Pick<Session, 'userId' | 'role'>,
    { own: theirs, before }: { readonly own: readonly Session[]; readonly before?: Session },
  ): void {
    const alike = theirs.filter(({ decided }) => costOf(decided) === cost);
    for (;;) {
      const others = [...sessions.values()].filter((one) => one !== before);
      const place = placeFor(cost, of, { others, limits });
      if (place === 'free') return;
      const left = alike.pop();
      if (left !== undefined) giveAway(left, null);
      else if (place instanceof AppError) throw place;
      else giveAway(place, of.role);
    }
  }

  const viewerIn = (session: Session, viewer: Viewer): Viewer =>
    withHidden(viewer, session.showsHidden, parts.hasActiveLicense);

  /** Ends the session of a viewer who may not see its item any longer. */
  async function assertSeen(session: Session, viewer: Viewer): Promise<void> {
    const { itemId } = session.file;
    const seen = await access.filterVisible(viewerIn(session, viewer), [itemId]);
    if (seen.has(itemId)) return;
    end(session, 'failed');
    throw new AppError('not_found', { what: `Playback session ${session.id}` });
  }

  /** Positions in extras, and in parts whose place in the item is not known, are not kept. */
  async function keepPosition(session: Session, viewer: Viewer): Promise<void> {
    if (viewer.role === 'guest' || !session.file.isPrimary) return;
    const { id: fileId, itemId } = session.file;
    const duration = secondsOf(session.file);
    const change = { fileId, position: session.position, ...(duration > 0 && { duration }) };
    try {
      await parts.playback.put(itemId, change, viewerIn(session, viewer));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }

  const prepare = (session: Session): void =>
    parts.prepare(session, () => sessions.has(session.id));

  async function change(session: Session, wanted: SessionChange, viewer: Viewer): Promise<void> {
    const { audio = session.selection.audio, subtitle = session.selection.subtitle } = wanted;
    const { maxKbps } = wanted;
    const given: GivenClient =
      maxKbps === undefined ? session.given : { ...session.given, maxKbps: maxKbps ?? undefined };
    const { file } = session;
    const client = clientOf(given, candidatesOf(file));
    const selection = selectionOf(file, { audio, subtitle });
    const decided = await decide({ file, client, selection, mode: session.wantedMode });
    // It may have ended meanwhile.
    own(session.id, viewer);
    takeRoom(costOf(decided), session, { own: [], before: session });
    Object.assign(session, { given, client, selection, decided });
    prepare(session);
  }

  return {
    use,
    create: async (wanted, viewer) => {
      if (isClosed) throw new AppError('stopping', {});
      const item = await parts.items.get(wanted.itemId, viewer);
      const [{ id: fileId }] = playableFiles(item, wanted.fileId);
      const file = await find(fileId, viewer);
      const client = clientOf(wanted.client, candidatesOf(file));
      const { selection, decided } = await decideFor(file, wanted, client);
      takeRoom(costOf(decided), viewer, { own: takenOverBy(wanted, viewer) });
      dropOldest(viewer);
      const id = parts.newId();
      const link = parts.tokens.create({ kind: 'session', id }, viewer, lifetimeSeconds);
      const session: Session = {
        id,
        token: link.token,
        expiresAt: link.expiresAt,
        createdAt: clock.now(),
        userId: viewer.userId,
        profileId: viewer.profileId,
        role: viewer.role,
        file,
        client,
        selection,
        decided,
        credentialId: viewer.credentialId,
        showsHidden: viewer.visibility.showsHidden,
        wantedMode: wanted.mode ?? 'auto',
        given: wanted.client,
        state: 'playing',
        position: wanted.position ?? 0,
        told: null,
        lastSeenAt: steady.now(),
      };
      sessions.set(id, session);
      sweepLater();
      prepare(session);
      return toShownSession(session, publicUrl, conversions.rateOf(id));
    },
    update: async (id, wanted, viewer) => {
      const session = use(id, viewer);
      await assertSeen(session, viewer);
      const { audio, subtitle, maxKbps, position, state } = wanted;
      // What is prepared for a change is at the new position.
      if (position !== undefined) session.position = position;
      if (audio !== undefined || subtitle !== undefined || maxKbps !== undefined)
        await change(session, wanted, viewer);
      if (state !== undefined && state !== 'ended' && state !== session.state) {
        session.state = state;
        conversions.told(id, state);
      }
      if (position !== undefined) {
        await keepPosition(session, viewer);
        events.moved(session);
      }
      if (state === 'ended') end(session, 'ended');
      return toShownSession(session, publicUrl, conversions.rateOf(id));
    },
    end: async (id, viewer) => {
      const any = sessions.get(id);
      const session = any !== undefined && isFullAdmin(viewer) ? any : own(id, viewer);
      end(session, 'ended');
    },
    list: async (viewer) => {
      const all = [...sessions.values()].filter(
        ({ userId, profileId }) =>
          isFullAdmin(viewer) || (userId === viewer.userId && profileId === viewer.profileId),
      );
      const seen = await access.filterVisible(viewer, [
        ...new Set(all.map(({ file }) => file.itemId)),
      ]);
      return all.filter(({ file }) => seen.has(file.itemId)).map(toSummary);
    },
    viewerIn,
    converted: events.started,
    lost: (session) => end(session, 'failed'),
    areOwn: (viewer, ids) => ids.every((id) => !sessions.has(id) || isOwn(id, viewer)),
    endThose: (isOne) => {
      for (const session of [...sessions.values()]) if (isOne(session)) end(session, 'failed');
    },
    counts: () => {
      const counts = { direct: 0, remux: 0, convert: 0 };
      for (const { decided } of sessions.values()) counts[decided.mode] += 1;
      return counts;
    },
    close: () => {
      isClosed = true;
      sweeping?.();
      for (const session of [...sessions.values()]) end(session, 'failed');
    },
  };
}

/** The selection, and the same with each other sound in its language. */
function alternatives(file: PlayableFile, first: Selection): readonly Selection[] {
  const sounds = streamsOf(file, 'audio');
  const chosen = sounds.find((stream) => idOf(stream) === first.audio);
  const others = sounds.filter(
    (stream) => stream !== chosen && stream.language === chosen?.language,
  );
  return [first, ...others.slice(0, 8).map((stream) => ({ ...first, audio: idOf(stream) }))];
}
