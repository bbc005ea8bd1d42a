import { createConnection, type Connection, type ConnectionParts } from './connection.ts';
import type { LinkedServer, ServerState } from './state.ts';

/** The servers of one account, in the user's order. */
export interface Servers {
  /** Applies a new list: connects to new servers, and closes removed ones. */
  readonly follow: (list: readonly LinkedServer[]) => Promise<void>;
  readonly list: () => readonly Connection[];
  readonly states: () => readonly ServerState[];
  /** Signs in to all servers in parallel; resolves when each is online or offline. */
  readonly connect: () => Promise<void>;
  /** Aborts requests in progress; the states stay readable. */
  readonly close: () => void;
  /** Removes all servers; their sessions stay in the store. */
  readonly drop: () => void;
}

export function createServers(parts: ConnectionParts): Servers {
  let connections: readonly Connection[] = [];
  return {
    follow: async (list) => {
      const kept = connections.filter(({ server }) => list.some((one) => isSame(one, server)));
      const gone = connections.filter((one) => !kept.includes(one));
      gone.forEach((one) => one.close());
      const fresh = list.filter((one) => !kept.some(({ server }) => isSame(one, server)));
      const opened = fresh.map((one) => createConnection(one, parts));
      const all = [...kept, ...opened];
      connections = list.flatMap(
        (one) => all.find(({ server }) => server.serverId === one.serverId) ?? [],
      );
      const ids = new Set(list.map(({ serverId }) => serverId));
      for (const { server } of gone)
        if (!ids.has(server.serverId)) await parts.sessions.remove(server.serverId);
    },
    list: () => connections,
    states: () => connections.map((one) => one.state()),
    connect: async () => {
      await Promise.all(connections.map((one) => one.connect()));
    },
    close: () => connections.forEach((one) => one.close()),
    drop: () => {
      connections.forEach((one) => one.close());
      connections = [];
    },
  };
}

/** The same server at the same address; a new name makes a new entry, too. */
const isSame = (one: LinkedServer, other: LinkedServer): boolean =>
  one.serverId === other.serverId && one.baseUrl === other.baseUrl && one.name === other.name;
