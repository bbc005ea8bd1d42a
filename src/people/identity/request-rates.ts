/**
 * Limits the rate of requests without a session. Each network has its own limit. Networks without a
 * sign-in in the last day share one limit, so that their requests cannot lock out the known
 * devices.
 */
import { LRUCache } from 'lru-cache';
import {
  createKeyedTokenBuckets,
  createTokenBucket,
} from '../../../packages/lib/concurrency/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';

/** The limited requests. */
export type RatedRequest = 'begin' | 'complete';

export interface RequestLimits {
  /** For each request kind, of one network. */
  readonly perMinute: number;
  /** For all unknown networks together. */
  readonly unknownPerSecond: number;
}

/** Counts requests. */
export type RequestRates = ReturnType<typeof createRequestRates>;

export const usualLimits: RequestLimits = { perMinute: 30, unknownPerSecond: 50 };

const mostNetworks = 10_000;
const knownForMs = 24 * 60 * 60_000;

/** Creates limits with no requests counted. */
export function createRequestRates(
  clock: Pick<Clock, 'now'>,
  { perMinute, unknownPerSecond }: RequestLimits = usualLimits,
) {
  const { now } = clock;
  const networks = createKeyedTokenBuckets(
    { capacity: perMinute, refill: perMinute, everyMs: 60_000 },
    { mostKeys: mostNetworks, now },
  );
  const strangers = createTokenBucket(
    { capacity: unknownPerSecond, refill: unknownPerSecond, everyMs: 1000 },
    now,
  );
  // With `max`, it would take the memory of all entries at once.
  const known = new LRUCache<string, number>({ maxSize: mostNetworks, sizeCalculation: () => 1 });

  const isKnown = (network: string): boolean =>
    now() - (known.get(network) ?? Number.NEGATIVE_INFINITY) < knownForMs;

  return {
    /** Throws `rate_limited` with the seconds to wait. */
    admit: (request: RatedRequest, network: string): void => {
      const key = `${request} ${network}`;
      const waitMs = networks.waitMs(key);
      const isStranger = !isKnown(network);
      if (waitMs > 0) throw tooOften(waitMs / 1000);
      if (isStranger && strangers.take() > 0) throw tooOften(1);
      networks.take(key);
    },
    /** Marks a network as known, after a sign-in. */
    know: (network: string): void => void known.set(network, now()),
  };
}

const tooOften = (seconds: number): AppError =>
  new AppError('rate_limited', { seconds: String(Math.max(1, Math.ceil(seconds))) });
