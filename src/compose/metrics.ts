import { databaseBytes } from '../platform/metrics/index.ts';
import { freeBytesOf } from '../operations/health/index.ts';
import type { Domains } from './domains.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Part } from './lifetime.ts';

/** Starts counting when the server listens. */
export const composeMetrics = (
  {
    config,
    built: { version },
    cluster,
    isLeader,
    storage,
    metrics,
    clock: { now },
  }: Infrastructure,
  { kernel, work, feed, maintenance, player, problems }: Domains,
): Part => ({
  start: () =>
    void metrics.open({
      version,
      plugins: kernel.plugins.registry.list,
      usageOf: kernel.plugins.usage.of,
      jobs: work.jobs.counts,
      ping: storage.ping,
      databaseBytes: () => databaseBytes(config.database),
      liveClients: feed.clients,
      playbackSessions: player.sessions.counts,
      transcode: player.conversions,
      scheduler: maintenance.scheduler.list,
      problems: problems.list,
      freeBytes: () => freeBytesIn({ data: config.data, backups: config.backupFolder }),
      hosts: kernel.hosts,
      cluster: async () => {
        if (!cluster) return null;
        const states = (await cluster.members()).map(({ state }) => state);
        const count = (wanted: string) => states.filter((state) => state === wanted).length;
        return {
          members: { present: count('present'), missing: count('missing') },
          leaderSilenceMs: await cluster.leaderSilence(),
        };
      },
      isLeader,
      events: kernel.events,
      now,
    }),
  stop: metrics.close,
});

/** Those that can be asked; a backup folder does not exist before the first backup. */
async function freeBytesIn(
  folders: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const known = await Promise.all(
    Object.entries(folders).map(async ([name, folder]) => {
      const free = await freeBytesOf(folder).catch(() => null);
      return free === null ? [] : [[name, free] as const];
    }),
  );
  return Object.fromEntries(known.flat());
}
