import type { Lifecycle, Registry } from '../../../kernel/plugins/index.ts';
import { steadyOf, toTimestamp, type Clock } from '../../platform/clock.ts';

/** Every status of a server; with `failing` it cannot serve. */
export const healthStatuses = ['ok', 'starting', 'degraded', 'failing'] as const;

/** The status of the server. */
export type HealthStatus = (typeof healthStatuses)[number];

/** The Health resource of the specification. */
export interface Health {
  readonly status: HealthStatus;
  readonly timestamp: string;
  readonly version: string;
  /** Seconds. */
  readonly uptime: number;
  readonly plugins: PluginHealth;
  /** Absent while no identity is linked. */
  readonly identity?: IdentityHealth;
  /** Absent while no index of a marketplace source has expired. */
  readonly marketplace?: MarketplaceHealth;
}

/** The state of the marketplace sources. */
export interface MarketplaceHealth {
  /** Sources whose index has expired, so that new revocations are unknown. */
  readonly expiredSources: number;
}

/** The state of the identity brokers. */
export interface IdentityHealth {
  /** Seconds since the last reply of the broker that was silent for longest. */
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

/** The dependencies of health. */
export interface HealthParts {
  readonly plugins: PluginStates;
  /** Reads from the database. */
  readonly ping: () => Promise<{ readonly latencyMs: number }>;
  /** `null` = no identity is linked. */
  readonly feedAgeSeconds?: () => number | null;
  /** The number of marketplace sources whose index has expired. */
  readonly expiredSources?: () => number;
  readonly clock: Clock;
  readonly version: string;
}

const slowMs = 500;
const timeoutMs = 2_000;
const momentMs = 100;

/**
 * Creates the check; the uptime of the server starts now. It never waits for a plugin, and for the
 * database only when the cached result is too old.
 */
export function createHealth({
  plugins,
  ping,
  feedAgeSeconds = () => null,
  expiredSources = () => 0,
  clock,
  version,
}: HealthParts): () => Health | Promise<Health> {
  const steady = steadyOf(clock);
  const startedAt = steady.now();
  let asking: Promise<DatabaseState> | null = null;
  let wasGoodAt = Number.NEGATIVE_INFINITY;
  let shown = { moment: Number.NaN, timestamp: '' };

  /**
   * Concurrent calls share one query of the database. A good result is cached for a moment, a bad
   * one never.
   */
  function databaseState(): DatabaseState | Promise<DatabaseState> {
    const sinceGood = clock.now() - wasGoodAt;
    if (sinceGood >= 0 && sinceGood < momentMs) return 'good';
    asking ??= askDatabase(ping, clock).then((state) => {
      asking = null;
      if (state === 'good') wasGoodAt = clock.now();
      return state;
    });
    return asking;
  }

  /** Cached for a millisecond. */
  function timestamp(): string {
    const moment = clock.now();
    if (shown.moment !== moment) shown = { moment, timestamp: toTimestamp(moment) };
    return shown.timestamp;
  }

  function healthWith(database: DatabaseState): Health {
    const { total, running, starting, failed } = plugins.counts();
    const bootComplete = plugins.bootComplete();
    const feedAge = feedAgeSeconds();
    const expired = expiredSources();
    return {
      status: statusOf(database, { bootComplete, failed, expired, list: plugins.list }),
      timestamp: timestamp(),
      version,
      uptime: (steady.now() - startedAt) / 1000,
      plugins: { bootComplete, total, running, starting, failed },
      ...(feedAge !== null && { identity: { feedAgeSeconds: feedAge } }),
      ...(expired > 0 && { marketplace: { expiredSources: expired } }),
    };
  }

  return () => {
    const database = databaseState();
    return typeof database === 'string' ? healthWith(database) : database.then(healthWith);
  };
}

type DatabaseState = 'good' | 'slow' | 'silent';

function askDatabase(ping: HealthParts['ping'], clock: Clock): Promise<DatabaseState> {
  return new Promise((resolve) => {
    const stopWaiting = clock.after(timeoutMs, () => resolve('silent'));
    const answer = (state: DatabaseState): void => {
      stopWaiting();
      resolve(state);
    };
    ping().then(
      ({ latencyMs }) => answer(latencyMs > slowMs ? 'slow' : 'good'),
      () => answer('silent'),
    );
  });
}

function statusOf(
  database: DatabaseState,
  plugins: Pick<PluginHealth, 'bootComplete' | 'failed'> &
    Pick<PluginStates, 'list'> & { readonly expired: number },
): HealthStatus {
  if (database === 'silent') return 'failing';
  if (!plugins.bootComplete) return 'starting';
  const hasFailed =
    plugins.failed > 0 &&
    plugins.list().some(({ type, state }) => type === 'builtin' && state === 'failed');
  return database === 'slow' || hasFailed || plugins.expired > 0 ? 'degraded' : 'ok';
}
