import type { Plugins } from '../../kernel/index.ts';
import { steadyOf, toTimestamp, type Clock } from '../clock.ts';

/** Every status of a server; with `failing` it cannot serve. */
export const healthStatuses = ['ok', 'starting', 'degraded', 'failing'] as const;

/** How the server fares. */
export type HealthStatus = (typeof healthStatuses)[number];

/** The Health resource of the specification. */
export interface Health {
  readonly status: HealthStatus;
  readonly timestamp: string;
  readonly version: string;
  /** Seconds. */
  readonly uptime: number;
  readonly plugins: PluginHealth;
  /** Absent while nobody's identity is linked. */
  readonly identity?: IdentityHealth;
  /** Absent while every marketplace source was signed in time. */
  readonly marketplace?: MarketplaceHealth;
}

/** How the server stands with its marketplace sources. */
export interface MarketplaceHealth {
  /** Sources whose index has expired: whether one of their plugins was revoked is not known. */
  readonly expiredSources: number;
}

/** How the server stands with the identity brokers of its users. */
export interface IdentityHealth {
  /** Seconds since the broker that was silent for longest was heard. */
  readonly feedAgeSeconds: number;
}

/** How many plugins there are, and in which state. */
export interface PluginHealth {
  readonly bootComplete: boolean;
  readonly total: number;
  readonly running: number;
  readonly starting: number;
  readonly failed: number;
}

/** The plugins as health and stats see them: what is known at once, without asking any. */
export type PluginStates = Pick<Plugins, 'bootComplete' | 'counts' | 'list'>;

/** What health is made of. */
export interface HealthParts {
  readonly plugins: PluginStates;
  /** Reads from the database. */
  readonly ping: () => Promise<{ readonly latencyMs: number }>;
  /** `null` = nobody's identity is linked. */
  readonly feedAgeSeconds?: () => number | null;
  /** Marketplace sources whose index has expired. */
  readonly expiredSources?: () => number;
  readonly clock: Clock;
  readonly version: string;
}

const slowMs = 500;
const patienceMs = 2_000;
const momentMs = 100;

/**
 * Creates the check; the server's time starts now. It never waits for a plugin, and for the database only
 * when that has to be asked.
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
   * However many ask for health, the database is asked once at a time, and when it was good a moment
   * ago not again. That it is not good is never remembered.
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

  /** Within one millisecond many may ask. */
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
    const stopWaiting = clock.after(patienceMs, () => resolve('silent'));
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
