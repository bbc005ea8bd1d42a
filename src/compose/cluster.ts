/**
 * Several servers on one database: applies remote changes, and runs singleton tasks on the leader.
 */
import type { Cluster, Duty } from '../cluster/index.ts';
import type { Domains } from './domains.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Part } from './lifetime.ts';

/** How long a stopping server tells its clients so, if events pass through PostgreSQL. */
const farewellMs = 500;

/** The server's membership in a cluster, by stages of its lifetime; no-ops without a cluster. */
export interface ClusterParts {
  /** Wraps a part that runs on one server of the cluster only. */
  readonly leaderOnly: (duty: Duty) => Part;
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
  if (!cluster) return { leaderOnly: (duty) => duty, singletons: {}, membership: {} };
  applyRemoteChanges(cluster, infrastructure, domains);
  return {
    leaderOnly: (duty) => {
      cluster.keeps(duty);
      return { stop: duty.stop };
    },
    singletons: { stop: cluster.retire },
    membership: {
      start: () => join(cluster, infrastructure, domains),
      stop: () => cluster.settled(farewellMs),
    },
  };
}

async function join(
  cluster: Cluster,
  { storage }: Infrastructure,
  domains: Domains,
): Promise<void> {
  const { kernel, searchUpkeep, work } = domains;
  cluster.keeps({ start: searchUpkeep.wake, stop: () => undefined });
  cluster.onDeath(work.jobs.takeOver);
  storage.textIndex.forgetAll();
  await cluster.start({
    deliver: kernel.events.deliver,
    room: async (timeoutMs) => {
      // A plugin that has not started receives no events.
      await kernel.plugins.booted();
      await kernel.events.room(timeoutMs);
    },
  });
}

/** Applies changes of other servers to what this one has in memory. */
function applyRemoteChanges(
  { onChange }: Cluster,
  { storage, isLeader, log }: Infrastructure,
  all: Domains,
): void {
  const { kernel, library, searchUpkeep, work, watching, people, pluginWakes, eventLog } = all;
  const { accounts, identity, profileDomain } = people;
  onChange('users', accounts.users.changedElsewhere);
  onChange('profiles', profileDomain.changedElsewhere);
  onChange('groups', () => profileDomain.changedElsewhere(null));
  onChange('unlocks', profileDomain.unlocksChangedElsewhere);
  onChange('sessions', accounts.sessions.endedElsewhere);
  onChange('api-keys', accounts.apiKeys.endedElsewhere);
  onChange('identity-sessions', (ids) => identity.sessions.ended(ids ?? []));
  onChange('identity', identity.changedElsewhere);
  onChange('libraries', async () => {
    await library.libraries.open();
    watching.refresh();
  });
  onChange('plugins', kernel.plugins.decidedElsewhere);
  onChange('packages', (ids) =>
    log.warn(
      { pluginIds: ids },
      'Another server changed which plugins are installed; restart this server with their packages to apply it.',
    ),
  );
  onChange('license', all.licensing.changedElsewhere);
  onChange('sources', all.marketplace.changedElsewhere);
  onChange('text-indexes', storage.textIndex.forgetAll);
  onChange('jobs', work.jobs.wake);
  onChange('cancelled-jobs', work.jobs.cancelledElsewhere);
  onChange('wakes', pluginWakes.look);
  onChange('tasks', all.maintenance.scheduler.ranElsewhere);
  onChange('search', () => {
    if (isLeader()) searchUpkeep.wake();
  });
  onChange('later', work.later.wake);
  onChange('event-log', eventLog.changedElsewhere);
}
