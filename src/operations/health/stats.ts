import type { IsolationReport } from '../../../kernel/run/sandbox/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import type { PluginStates } from './health.ts';
import type { Stats } from '../../contract/resources/operations/operations.ts';

/** The program that converts media, and its cage. */
export interface ConversionStats {
  /** As ffmpeg says it; null where nothing is converted. */
  readonly version: string | null;
  /**
   * `bwrap` or `landlock`, or `none` where `--transcoder-cage none` allows that; null where nothing is
   * converted.
   */
  readonly cage: 'bwrap' | 'landlock' | 'none' | null;
  /** `software`, or the kind of device that encodes pictures; null where nothing is converted. */
  readonly encoder: string | null;
  /** Lines of the highest picture that is converted in time; null = any, or not measured yet. */
  readonly maxHeight: number | null;
  /** Why nothing is converted; null where it is. */
  readonly missing: string | null;
}

/** One recurring task; the interval is in milliseconds. */
export interface TaskStats {
  readonly name: string;
  readonly interval: number;
  readonly lastRun: string | null;
}

/** The sources of the figures, read for each request. */
export interface StatsParts {
  readonly users: () => Promise<number>;
  readonly plugins: Pick<PluginStates, 'counts'>;
  readonly runningJobs: () => Promise<number>;
  readonly transcodeSessions: () => number;
  /** Clients with an event connection. */
  readonly liveClients: () => number;
  readonly scheduler: () => readonly TaskStats[];
  readonly pluginIsolation: () => Promise<IsolationReport['tier']>;
  readonly conversion: () => Promise<ConversionStats>;
  readonly memoryBytes: () => number;
  readonly clock: Clock;
}

/** Creates the stats; the uptime of the server starts now. */
export function createStats(parts: StatsParts): () => Promise<Stats> {
  const { now } = steadyOf(parts.clock);
  const startedAt = now();
  return async () => {
    const [users, runningJobs, pluginIsolation, conversion] = await Promise.all([
      parts.users(),
      parts.runningJobs(),
      parts.pluginIsolation(),
      parts.conversion(),
    ]);
    const { total, running } = parts.plugins.counts();
    return {
      users,
      plugins: { total, running },
      jobs: { running: runningJobs },
      streaming: {
        transcodeSessions: parts.transcodeSessions(),
        wsClients: parts.liveClients(),
      },
      scheduler: parts.scheduler(),
      uptime: (now() - startedAt) / 1000,
      pluginIsolation,
      conversion,
      memoryUsage: parts.memoryBytes(),
    };
  };
}
