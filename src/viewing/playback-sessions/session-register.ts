/** Where the sessions are: in the memory of the only server, or in the database of several. */
import type { Role, Viewer } from '../../people/viewer/index.ts';
import type { Cause, SessionEntry } from './session-entry.ts';
import type { PlayMode, Session } from './session.ts';

/** A session that another one ended: one of a role, or of the same person (`null`). */
export interface GoneEntry extends Pick<Session, 'userId' | 'profileId'> {
  readonly by: Role | null;
}

/** A session that ends for another one. */
export interface Leaving {
  readonly entry: SessionEntry;
  readonly cause: Cause;
  /** Who needed its place; absent = its client is not told. */
  readonly gone?: Pick<GoneEntry, 'by'>;
}

/** The sessions of all servers. */
export interface SessionRegister {
  readonly find: (id: string) => Promise<SessionEntry | GoneEntry | null>;
  /** The session of an entry that was found, for its viewer. */
  readonly open: (entry: SessionEntry, viewer: Viewer) => Promise<Session>;
  /** The oldest first. */
  readonly all: () => Promise<readonly SessionEntry[]>;
  /**
   * Gives a new session a place, or one that changed, and ends those that leave for it: of all that try
   * at the same time, one after the other chooses among those that are there. What `choose` throws is
   * thrown, and nothing changes. False = the session has ended meanwhile.
   */
  readonly admit: (session: Session, choose: Choose, isNew: boolean) => Promise<boolean>;
  /** Whether this server knows that the session has not ended; for what may be wrong for a moment. */
  readonly holds: (id: string) => boolean;
  /** It is used now. */
  readonly seen: (session: Session) => void;
  /** It is used now, and its position or its state changed; `isUrgent`: others must know it at once. */
  readonly moved: (session: Session, isUrgent: boolean) => Promise<void>;
  /** Whether this is the first that was told of it. */
  readonly tells: (session: Session) => Promise<boolean>;
  /** Ends it. `null` = it had ended. */
  readonly remove: (id: string) => Promise<SessionEntry | null>;
  /** Ends those of a user or of credentials. */
  readonly removeThose: (of: SessionsOf) => Promise<readonly SessionEntry[]>;
  /** Whether none of these ids is that of another profile's session. */
  readonly areOwn: (viewer: Viewer, ids: readonly string[]) => Promise<boolean>;
  /** Those that this server counts; each one counts at one server. */
  readonly counts: () => Readonly<Record<PlayMode, number>>;
  /** Gives those that end with this server. */
  readonly close: () => readonly SessionEntry[];
}

/** Chooses who leaves. */
export type Choose = (others: readonly SessionEntry[]) => readonly Leaving[];

/** Whose sessions. */
export interface SessionsOf {
  readonly userId: string | null;
  readonly credentialIds: readonly string[];
}

/** What is told of sessions that ended without a request. */
export interface RegisterListeners {
  /** A session ended here: nobody used it, or it left for another one. */
  readonly ended: (entry: SessionEntry, cause: Cause) => void;
  /** Another server ended a session. */
  readonly endedElsewhere: (id: string) => void;
}

export type OpenRegister = (listeners: RegisterListeners) => SessionRegister;

/** Milliseconds without a request or a report until a session ends. */
export const patienceMs = { playing: 60_000, paused: 30 * 60_000 } as const;
/** The most sessions of which it is known that they gave way. */
export const mostGone = 1000;
export const sweepMs = 5000;
