import { databaseBytes } from '../platform/metrics/index.ts';
import type { Domains } from './domains.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Part } from './lifetime.ts';

/** Starts counting when the server listens. */
export const composeMetrics = (
  { config, built: { version }, storage, metrics, clock: { now } }: Infrastructure,
  { kernel, work, feed, maintenance }: Domains,
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
      scheduler: maintenance.scheduler.list,
      hosts: kernel.hosts,
      events: kernel.events,
      now,
    }),
  stop: metrics.close,
});
