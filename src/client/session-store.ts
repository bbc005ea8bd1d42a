import type { Session } from './handshake.ts';
import { isRecord, isText } from './json.ts';
import type { Kept } from './kept.ts';

/** A session as it is kept: with whose it is, and where it may be sent. */
export interface KeptSession extends Session {
  readonly clientId: string;
  readonly baseUrl: string;
  /** How far the server's clock is ahead. */
  readonly offsetMs: number;
}

/** Sessions over a restart, one by one, so that two tabs do not undo what the other one keeps. */
export interface SessionStore {
  /** `null` when there is none for this client at this address. */
  readonly read: (
    serverId: string,
    owner: Pick<KeptSession, 'clientId' | 'baseUrl'>,
  ) => Promise<KeptSession | null>;
  readonly write: (serverId: string, session: KeptSession) => Promise<void>;
  readonly remove: (serverId: string) => Promise<void>;
}

export function createSessionStore(kept: Kept): SessionStore {
  const keyOf = (serverId: string): string => `session.${serverId}`;
  return {
    read: async (serverId, owner) => {
      const session = toSession(await kept.read(keyOf(serverId)));
      const isOwn = session?.clientId === owner.clientId && session.baseUrl === owner.baseUrl;
      return isOwn ? session : null;
    },
    write: (serverId, session) => kept.write(keyOf(serverId), session),
    remove: (serverId) => kept.remove(keyOf(serverId)),
  };
}

function toSession(value: unknown): KeptSession | null {
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
