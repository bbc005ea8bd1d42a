/**
 * Sessions of playing. A session belongs to one profile of one user: for all others it does not exist.
 * Each use asks the access filter again, so a user who loses a library stops seeing it within one segment.
 * A session ends when its client says so, some time after the last use, or when it gives way.
 */
import type { Items } from '../../library/catalogue/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { LinkTokens } from '../../people/credentials/index.ts';
import { isFullAdmin, withHidden, type Viewer } from '../../people/viewer/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
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
import { costOf, isOf, type Cause, type SessionEntry } from './session-entry.ts';
import { createSessionEvents, type EmitTranscode } from './session-events.ts';
import type { SessionLimits } from './session-limits.ts';
import type { Choose, OpenRegister, SessionsOf, SessionRegister } from './session-register.ts';
import { roomFor, roomForNew } from './session-room.ts';
import { toShownSession, toSummary } from './session-view.ts';
import type { PlayMode, Selection, Session } from './session.ts';
import type {
  GivenClient,
  SessionChange,
  SessionSummary,
  ShownSession,
  WantedSession,
} from '../../contract/resources/viewing/playback-sessions.ts';

/** The sessions of playing. */
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
  readonly use: (id: string, viewer: Viewer) => Promise<Session>;
  /** The viewer of a session, with hidden things shown as when it began. */
  readonly viewerIn: (session: Session, viewer: Viewer) => Viewer;
  /** A converted segment was sent. */
  readonly converted: (session: Session) => Promise<void>;
  /** The viewer may not see its file any longer. */
  readonly lost: (session: Session) => Promise<void>;
  /** Whether none of these ids is that of somebody else's session. */
  readonly areOwn: (viewer: Viewer, ids: readonly string[]) => Promise<boolean>;
  /** Ends the sessions of a user or of credentials. */
  readonly endThose: (of: SessionsOf) => Promise<void>;
  readonly counts: () => Readonly<Record<PlayMode, number>>;
  /** Ends the sessions that end with this server; no new one begins. */
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
  /** Where the sessions are. */
  readonly register: OpenRegister;
  readonly emit: EmitTranscode;
  readonly limits: SessionLimits;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  readonly hasActiveLicense: () => boolean;
}

/** Longer than the longest film with pauses; a session ends long before, when nobody uses it. */
const lifetimeSeconds = 24 * 60 * 60;

class RegisteredSessions implements PlaybackSessions {
  readonly #parts: PlaybackSessionsParts;
  readonly #steady: ReturnType<typeof steadyOf>;
  readonly #events: ReturnType<typeof createSessionEvents>;
  readonly #register: SessionRegister;
  #isClosed = false;
  readonly areOwn: PlaybackSessions['areOwn'];
  readonly counts: PlaybackSessions['counts'];

  constructor(parts: PlaybackSessionsParts) {
    this.#parts = parts;
    this.#steady = steadyOf(parts.clock);
    this.#events = createSessionEvents(parts.emit, this.#steady.now, parts.conversions.rateOf);
    this.#register = parts.register({
      ended: this.#over,
      endedElsewhere: (id) => parts.conversions.told(id, 'ended'),
    });
    this.areOwn = this.#register.areOwn;
    this.counts = this.#register.counts;
  }

  readonly #over = (entry: SessionEntry, cause: Cause): void => {
    this.#parts.conversions.told(entry.id, 'ended');
    this.#events.stopped(entry, cause);
  };

  async #end(id: string, cause: Cause): Promise<void> {
    const entry = await this.#register.remove(id);
    if (entry !== null) this.#over(entry, cause);
  }

  readonly #missing = (id: string): AppError =>
    new AppError('not_found', { what: `Playback session ${id.slice(0, 100)}` });

  async #ownEntry(id: string, viewer: Viewer): Promise<SessionEntry> {
    const entry = await this.#register.find(id);
    if (entry === null || !isOf(entry, viewer)) throw this.#missing(id);
    if (!('by' in entry)) return entry;
    throw entry.by === null
      ? new AppError('taken_over', {})
      : new AppError('gave_way', { by: entry.by });
  }

  readonly #own = async (id: string, viewer: Viewer): Promise<Session> =>
    this.#register.open(await this.#ownEntry(id, viewer), viewer);

  /** The way for the selection. Where nobody chose the sound, another one in its language may do. */
  async #decideFor(
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
        return { selection, decided: await this.#parts.decide({ file, client, selection, mode }) };
      } catch (error) {
        const isMissing = error instanceof AppError && error.code === 'transcoder_missing';
        refusal ??= error;
        if (!isMissing) throw error;
      }
    }
    throw refusal;
  }

  readonly viewerIn = (session: Session, viewer: Viewer): Viewer =>
    withHidden(viewer, session.showsHidden, this.#parts.hasActiveLicense);

  /** Ends the session of a viewer who may not see its item any longer. */
  async #assertSeen(session: Session, viewer: Viewer): Promise<void> {
    const { itemId } = session.file;
    const seen = await this.#parts.access.filterVisible(this.viewerIn(session, viewer), [itemId]);
    if (seen.has(itemId)) return;
    await this.#end(session.id, 'failed');
    throw this.#missing(session.id);
  }

  /** Positions in extras, and in parts whose place in the item is not known, are not kept. */
  async #keepPosition(session: Session, viewer: Viewer): Promise<void> {
    if (viewer.role === 'guest' || !session.file.isPrimary) return;
    const { id: fileId, itemId } = session.file;
    const duration = secondsOf(session.file);
    const change = { fileId, position: session.position, ...(duration > 0 && { duration }) };
    try {
      await this.#parts.playback.put(itemId, change, this.viewerIn(session, viewer));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }

  readonly #prepare = (session: Session): void =>
    this.#parts.prepare(session, () => this.#register.holds(session.id));

  async #change(session: Session, wanted: SessionChange): Promise<void> {
    const { audio = session.selection.audio, subtitle = session.selection.subtitle } = wanted;
    const { maxKbps } = wanted;
    const given: GivenClient =
      maxKbps === undefined ? session.given : { ...session.given, maxKbps: maxKbps ?? undefined };
    const { file } = session;
    const client = clientOf(given, candidatesOf(file));
    const selection = selectionOf(file, { audio, subtitle });
    const decided = await this.#parts.decide({ file, client, selection, mode: session.wantedMode });
    const changed = { given, client, selection, decided };
    const isThere = await this.#register.admit(
      { ...session, ...changed },
      (others) => roomFor(costOf(decided), session, { others, limits: this.#parts.limits }),
      false,
    );
    if (!isThere) throw this.#missing(session.id);
    Object.assign(session, changed);
    this.#prepare(session);
  }

  readonly use: PlaybackSessions['use'] = async (id, viewer) => {
    const session = await this.#own(id, viewer);
    this.#register.seen(session);
    return session;
  };

  readonly create: PlaybackSessions['create'] = async (wanted, viewer) => {
    const { find, clock, limits, publicUrl, conversions } = this.#parts;
    if (this.#isClosed) throw new AppError('stopping', {});
    const item = await this.#parts.items.get(wanted.itemId, viewer);
    const [{ id: fileId }] = playableFiles(item, wanted.fileId);
    const file = await find(fileId, viewer);
    const client = clientOf(wanted.client, candidatesOf(file));
    const { selection, decided } = await this.#decideFor(file, wanted, client);
    const id = this.#parts.newId();
    const link = this.#parts.tokens.create({ kind: 'session', id }, viewer, lifetimeSeconds);
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
      lastSeenAt: this.#steady.now(),
    };
    const cost = costOf(decided);
    const choose: Choose = (others) => roomForNew(cost, { wanted, viewer }, { others, limits });
    await this.#register.admit(session, choose, true);
    this.#prepare(session);
    return toShownSession(session, publicUrl, conversions.rateOf(id));
  };

  readonly update: PlaybackSessions['update'] = async (id, wanted, viewer) => {
    const { conversions, publicUrl } = this.#parts;
    const session = await this.#own(id, viewer);
    await this.#assertSeen(session, viewer);
    const { audio, subtitle, maxKbps, position, state } = wanted;
    // What is prepared for a change is at the new position.
    if (position !== undefined) session.position = position;
    if (audio !== undefined || subtitle !== undefined || maxKbps !== undefined)
      await this.#change(session, wanted);
    const isTurned = state !== undefined && state !== 'ended' && state !== session.state;
    if (isTurned) {
      session.state = state;
      conversions.told(id, state);
    }
    if (position !== undefined) await this.#keepPosition(session, viewer);
    const isTold = position !== undefined && this.#events.moved(session);
    await this.#register.moved(session, isTurned || isTold || state === 'ended');
    if (state === 'ended') await this.#end(id, 'ended');
    return toShownSession(session, publicUrl, conversions.rateOf(id));
  };

  readonly end: PlaybackSessions['end'] = async (id, viewer) => {
    const isAny = isFullAdmin(viewer) && (await this.#register.find(id)) !== null;
    if (!isAny) await this.#ownEntry(id, viewer);
    await this.#end(id, 'ended');
  };

  readonly list: PlaybackSessions['list'] = async (viewer) => {
    const all = (await this.#register.all()).filter(
      (one) => isFullAdmin(viewer) || isOf(one, viewer),
    );
    const seen = await this.#parts.access.filterVisible(viewer, [
      ...new Set(all.map(({ itemId }) => itemId)),
    ]);
    return all.filter(({ itemId }) => seen.has(itemId)).map(toSummary);
  };

  readonly converted: PlaybackSessions['converted'] = async (session) => {
    if (session.told === null && (await this.#register.tells(session)))
      this.#events.started(session);
  };

  readonly lost: PlaybackSessions['lost'] = ({ id }) => this.#end(id, 'failed');

  readonly endThose: PlaybackSessions['endThose'] = async (of) => {
    for (const entry of await this.#register.removeThose(of)) this.#over(entry, 'failed');
  };

  readonly close: PlaybackSessions['close'] = () => {
    this.#isClosed = true;
    for (const entry of this.#register.close()) this.#over(entry, 'failed');
  };
}

export const createPlaybackSessions = (parts: PlaybackSessionsParts): PlaybackSessions =>
  new RegisteredSessions(parts);

/** The selection, and the same with each other sound in its language. */
function alternatives(file: PlayableFile, first: Selection): readonly Selection[] {
  const sounds = streamsOf(file, 'audio');
  const chosen = sounds.find((stream) => idOf(stream) === first.audio);
  const others = sounds.filter(
    (stream) => stream !== chosen && stream.language === chosen?.language,
  );
  return [first, ...others.slice(0, 8).map((stream) => ({ ...first, audio: idOf(stream) }))];
}
