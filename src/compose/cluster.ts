/**
 * Several servers on one database: applies remote changes, and runs singleton tasks on the leader.
 */
import { createHmac } from 'node:crypto';
import { derivedKey } from '../platform/secrets/index.ts';
import type { Cluster, MemberFacts, Singleton } from '../platform/cluster/index.ts';
import type { Domains } from './domains.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Part } from './lifetime.ts';

/** How long a stopping server tells its clients so, if events pass through PostgreSQL. */
const farewellMs = 500;

/** The server's membership in a cluster, by stages of its lifetime; no-ops without a cluster. */
export interface ClusterParts {
  /** Wraps a part that runs on one server of the cluster only. */
  readonly leaderOnly: (singleton: Singleton) => Part;
  /** Passes the singleton tasks on: while plugins still run, after the last call to them. */
  readonly singletons: Part;
  /** Joins the others, after everything else has started. */
  readonly membership: Part;
}

/** Builds the membership. */
export function composeClusterParts(
  infrastructure: Infrastructure,
  domains: Domains,
): ClusterParts {
  const { cluster } = infrastructure;
  if (!cluster) return { leaderOnly: (singleton) => singleton, singletons: {}, membership: {} };
  applyRemoteChanges(cluster, infrastructure, domains);
  return {
    leaderOnly: (singleton) => {
      cluster.addSingleton(singleton);
      return { stop: singleton.stop };
    },
    singletons: { stop: cluster.resign },
    membership: {
      start: () => join(cluster, infrastructure, domains),
      stop: () => cluster.settled(farewellMs),
    },
  };
}

async function join(
  cluster: Cluster,
  infrastructure: Infrastructure,
  domains: Domains,
): Promise<void> {
  const { storage } = infrastructure;
  const { kernel, searchUpkeep, work } = domains;
  cluster.addSingleton({ start: searchUpkeep.wake, stop: () => undefined });
  cluster.onServerDeath(work.jobs.takeOver);
  storage.textIndex.forgetAll();
  await cluster.start({
    deliver: kernel.events.deliver,
    room: async (timeoutMs) => {
      // A plugin that has not started receives no events.
      await kernel.plugins.lifecycle.booted();
      await kernel.events.room(timeoutMs);
    },
    facts: factsOf(infrastructure, domains),
    lacks: kernel.plugins.installs.lacking,
  });
}

/** What this server says of itself; values of settings do not leave it. */
function factsOf(
  { config, internal, serverKey }: Infrastructure,
  { kernel, player, servers }: Pick<Domains, 'kernel' | 'player' | 'servers'>,
): () => Omit<MemberFacts, 'lacks'> {
  const key = derivedKey(serverKey, 'vitrine setting print 1');
  const print = (value: string) => createHmac('sha256', key).update(value).digest('hex');
  const settings = Object.fromEntries(
    Object.entries(config.common).map(([name, value]) => [name, print(value).slice(0, 16)]),
  );
  return () => ({
    address: servers.address(),
    roles: config.roles,
    internal: internal?.address() ?? '',
    converts: player.conversions.isForOthers(),
    plugins: Object.fromEntries(
      kernel.plugins.registry.list({}).map(({ id, version }) => [id, version]),
    ),
    settings,
  });
}

/** Applies changes of other servers to what this one has in memory. */
function applyRemoteChanges(
  { onChange }: Cluster,
  { storage, isLeader }: Infrastructure,
  all: Domains,
): void {
  const { kernel, library, searchUpkeep, work, watching, people, pluginWakes, eventLog } = all;
  const { accounts, identity, profileDomain } = people;
  onChange('users', accounts.users.onRemoteChange);
  onChange('profiles', profileDomain.onRemoteChange);
  onChange('groups', () => profileDomain.onRemoteChange(null));
  onChange('unlocks', profileDomain.onRemoteUnlockChange);
  onChange('sessions', accounts.sessions.onRemoteEnd);
  onChange('api-keys', accounts.apiKeys.onRemoteEnd);
  onChange('identity-sessions', (ids) => identity.sessions.ended(ids ?? []));
  onChange('identity', identity.onRemoteChange);
  onChange('libraries', async () => {
    await library.libraries.open();
    watching.refresh();
  });
  onChange('plugins', kernel.plugins.lifecycle.decidedElsewhere);
  // A download must not delay the requests that wait for other changes.
  onChange('packages', (ids) => void kernel.plugins.installs.changedElsewhere(ids));
  onChange('license', all.licensing.onRemoteChange);
  onChange('sources', all.marketplace.onRemoteChange);
  onChange('text-indexes', storage.textIndex.forgetAll);
  onChange('jobs', work.jobs.wake);
  onChange('cancelled-jobs', work.jobs.onRemoteCancel);
  onChange('wakes', pluginWakes.look);
  onChange('tasks', all.maintenance.scheduler.onRemoteRun);
  onChange('search', () => {
    if (isLeader()) searchUpkeep.wake();
  });
  onChange('later', work.retryQueue.wake);
  onChange('secrets', async (ids) => {
    for (const id of ids ?? []) await work.retryQueue.retryNow(id);
  });
  onChange('event-log', eventLog.onRemoteChange);
}
