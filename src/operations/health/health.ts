import type { Lifecycle, Registry } from '../../../kernel/run/index.ts';
import { steadyOf, toTimestamp, type Clock } from '../../platform/clock.ts';
import type { healthStatuses } from '../../contract/resources/operations/operations.ts';
import { type Health, type Problem } from '../../contract/resources/operations/operations.ts';

/** The status of the server. */
export type HealthStatus = (typeof healthStatuses)[number];

/** The state of the marketplace sources. */
export interface MarketplaceHealth {
  /** Sources whose index has expired, so that new revocations are unknown. */
  readonly expiredSources: number;
}

/** The state of the identity brokers. */
export interface IdentityHealth {
  /** Seconds since the last reply of a broker; with several, of the one that is silent for longest. */
  readonly feedAgeSeconds: number;
}

/** The number of plugins by state. */
export interface PluginHealth {
  readonly bootComplete: boolean;
  readonly total: number;
  readonly running: number;
  readonly starting: number;
  readonly failed: number;
}

/** The part of the plugins that health and stats use: only values that need no call of a plugin. */
export type PluginStates = Pick<Registry, 'counts' | 'list'> & Pick<Lifecycle, 'bootComplete'>;

export interface HealthParts {
  readonly plugins: PluginStates;
  /** Brings the problems of the database and its disk up to date. `undefined` = they are. */
  readonly refresh: () => undefined | Promise<undefined>;
  readonly problems: () => readonly Problem[];
  /** `null` = no identity is linked. */
  readonly feedAgeSeconds?: () => number | null;
  readonly clock: Clock;
  readonly version: string;
}

/**
 * Creates the check; the uptime of the server starts now. It never waits for a plugin, and for the
 * database and its disk only when the last result is too old.
 */
export function createHealth(parts: HealthParts): () => Health | Promise<Health> {
  const { plugins, refresh, problems, feedAgeSeconds = () => null, clock, version } = parts;
  const steady = steadyOf(clock);
  const startedAt = steady.now();
  let shown = { moment: Number.NaN, timestamp: '' };

  /** Cached for a millisecond. */
  function timestamp(): string {
    const moment = clock.now();
    if (shown.moment !== moment) shown = { moment, timestamp: toTimestamp(moment) };
    return shown.timestamp;
  }

  function health(): Health {
    const { total, running, starting, failed } = plugins.counts();
    const bootComplete = plugins.bootComplete();
    const feedAge = feedAgeSeconds();
    const now = problems();
    const expired = now.filter(({ code }) => code === 'index_expired').length;
    return {
      status: statusOf(now, bootComplete),
      timestamp: timestamp(),
      version,
      uptime: (steady.now() - startedAt) / 1000,
      plugins: { bootComplete, total, running, starting, failed },
      ...(feedAge !== null && { identity: { feedAgeSeconds: feedAge } }),
      ...(expired > 0 && { marketplace: { expiredSources: expired } }),
    };
  }

  return () => refresh()?.then(health) ?? health();
}

function statusOf(problems: readonly Problem[], bootComplete: boolean): HealthStatus {
  if (problems.some(({ severity }) => severity === 'critical')) return 'failing';
  if (!bootComplete) return 'starting';
  return problems.some(({ severity }) => severity === 'error') ? 'degraded' : 'ok';
}
