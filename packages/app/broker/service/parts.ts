import type { Log } from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import type { BrokerLimits } from './config.ts';
import type { Site } from './site.ts';

/** The common dependencies of the parts of the broker. */
export interface Core {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: (count: number) => Buffer;
  readonly log: Log;
  readonly limits: BrokerLimits;
  /** Available once the broker listens. */
  readonly site: () => Site;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Unix seconds from milliseconds. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000);
