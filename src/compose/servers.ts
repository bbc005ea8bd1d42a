/** The servers that share the database, as admins see them; one on SQLite is the only one. */
import { hostname } from 'node:os';
import { serverRoles } from '../contract/resources/operations/operations.ts';
import type { ServerState } from '../contract/resources/operations/servers.ts';
import { toTimestamp } from '../platform/clock.ts';
import type { Infrastructure } from './infrastructure.ts';

export interface Servers {
  readonly list: () => Promise<readonly ServerState[]>;
  /** Host and port of this server, as the others see it. */
  readonly address: () => string;
}

/** `url` is called once the server listens. */
export function composeServers(
  { config, built, cluster, server, clock }: Infrastructure,
  url: () => string,
): Servers {
  const startedAt = toTimestamp(clock.now());
  function address(): string {
    const { host, port } = new URL(url());
    // An address that stands for all of a machine names none.
    return ['0.0.0.0', '::'].includes(config.host) ? `${hostname()}:${port}` : host;
  }
  const only = (): ServerState => ({
    id: server.serverId,
    address: address(),
    roles: [...config.roles],
    version: built.version,
    startedAt,
    lastBeatAt: toTimestamp(clock.now()),
    state: 'present',
    isLeader: true,
    isThis: true,
    differences: [],
  });
  return {
    address,
    list: async () => {
      if (!cluster) return [only()];
      const members = await cluster.members();
      return members.map(({ startedAtMs, lastBeatMs, roles, differences, ...member }) => ({
        ...member,
        roles: serverRoles.filter((role) => roles.includes(role)),
        startedAt: toTimestamp(startedAtMs),
        lastBeatAt: toTimestamp(lastBeatMs),
        isThis: member.id === cluster.processId,
        differences: [...differences],
      }));
    },
  };
}
