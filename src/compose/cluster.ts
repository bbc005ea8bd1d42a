/**
 * Several servers on one database: applies remote changes, and runs singleton tasks on the leader.
 */
import type { Cluster, Duty } from '../cluster/index.ts';
import type { Domains } from './domains.ts';
import type { Ground } from './infrastructure.ts';
import type { Part } from './lifetime.ts';

/** How long a stopping server tells its clients so, if events pass through PostgreSQL. */
const farewellMs = 500;

/** The server's membership in a cluster, by stages of its lifetime; no-ops without a cluster. */
export interface Shared {
  /** Wraps a part that runs on one server of the cluster only. */
  readonly onceForAll: (duty: Duty) => Part;
  /** Passes the singleton tasks on: while plugins still run, after the last call to them. */
  readonly duties: Part;
  /** Joins the others, after everything else has started. */
  readonly membership: Part;
}

/** Builds the membership. */
export function composeShared(ground: Ground, domains: Domains): Shared {
  const { cluster } = ground;
  if (!cluster) return { onceForAll: (duty) => duty, duties: {}, membership: {} };
  heedOthers(cluster, ground, domains);
  return {
    onceForAll: (duty) => {
      cluster.keeps(duty);
      return { stop: duty.stop };
    },
    duties: { stop: cluster.retire },
    membership: {
      start: () => join(cluster, ground, domains),
      stop: () => cluster.settled(farewellMs),
    },
  };
}

async function join(cluster: Cluster, { storage }: Ground, domains: Domains): Promise<void> {
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
function heedOthers({ onChange }: Cluster, { storage, isKeeper, log }: Ground, all: Domains): void {
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
  onChange('tasks', all.upkeep.scheduler.ranElsewhere);
  onChange('search', () => {
    if (isKeeper()) searchUpkeep.wake();
  });
  onChange('later', work.later.wake);
  onChange('event-log', eventLog.changedElsewhere);
}
