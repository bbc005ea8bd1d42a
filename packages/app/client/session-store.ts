import type { Session } from './handshake.ts';
import { isRecord, isText } from './json.ts';
import type { PersistedState } from './persisted-state.ts';

/** A stored session, with its client and the address that it may be sent to. */
export interface StoredSession extends Session {
  readonly clientId: string;
  readonly baseUrl: string;
  /** How far the server's clock is ahead. */
  readonly offsetMs: number;
}

/** Stores sessions one by one, so that two tabs do not overwrite each other's. */
export interface SessionStore {
  /** `null` when there is none for this client at this address. */
  readonly read: (
    serverId: string,
    owner: Pick<StoredSession, 'clientId' | 'baseUrl'>,
  ) => Promise<StoredSession | null>;
  readonly write: (serverId: string, session: StoredSession) => Promise<void>;
  readonly remove: (serverId: string) => Promise<void>;
}

export function createSessionStore(persisted: PersistedState): SessionStore {
  const keyOf = (serverId: string): string => `session.${serverId}`;
  return {
    read: async (serverId, owner) => {
      const session = toSession(await persisted.read(keyOf(serverId)));
      const isOwn = session?.clientId === owner.clientId && session.baseUrl === owner.baseUrl;
      return isOwn ? session : null;
    },
    write: (serverId, session) => persisted.write(keyOf(serverId), session),
    remove: (serverId) => persisted.remove(keyOf(serverId)),
  };
}

function toSession(value: unknown): StoredSession | null {
  if (!isRecord(value)) return null;
  const { token, expiresAtMs, clientId, baseUrl, offsetMs } = value;
  const isWhole =
    isText(token) &&
    isText(clientId) &&
    isText(baseUrl) &&
    typeof expiresAtMs === 'number' &&
    typeof offsetMs === 'number';
  return isWhole ? { token, expiresAtMs, clientId, baseUrl, offsetMs } : null;
}
