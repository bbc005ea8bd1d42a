/**
 * Limits the rate of requests without a session. Each network has its own limit. Networks without a
 * sign-in in the last day share one limit, so that their requests cannot lock out the known
 * devices.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';

/** The limited requests. */
export type RatedRequest = 'begin' | 'complete';

/** The limits. */
export interface RequestLimits {
  /** For each request kind, of one network. */
  readonly perMinute: number;
  /** For all unknown networks together. */
  readonly unknownPerSecond: number;
}

/** Counts requests. */
export interface RequestRates {
  /** Throws `rate_limited` with the seconds to wait. */
  readonly admit: (request: RatedRequest, network: string) => void;
  /** Marks a network as known, after a sign-in. */
  readonly know: (network: string) => void;
}

export const usualLimits: RequestLimits = { perMinute: 30, unknownPerSecond: 50 };

const mostNetworks = 10_000;
const knownForMs = 24 * 60 * 60_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Creates limits with no requests counted. */
export function createRequestRates(
  clock: Pick<Clock, 'now'>,
  { perMinute, unknownPerSecond }: RequestLimits = usualLimits,
): RequestRates {
  const buckets = new LRUCache<string, Bucket>({ max: mostNetworks });
  const known = new LRUCache<string, number>({ max: mostNetworks });
  let unknown: Bucket = { left: unknownPerSecond, at: clock.now() };

  const isKnown = (network: string): boolean =>
    clock.now() - (known.get(network) ?? Number.NEGATIVE_INFINITY) < knownForMs;

  const filled = ({ left, at }: Bucket, most: number, perMs: number): Bucket => {
    const now = clock.now();
    return { left: Math.min(most, left + Math.max(0, now - at) * perMs), at: now };
  };

  return {
    admit: (request, network) => {
      const key = `${request} ${network}`;
      const bucket = buckets.get(key) ?? { left: perMinute, at: clock.now() };
      const own = filled(bucket, perMinute, perMinute / 60_000);
      const isStranger = !isKnown(network);
      if (isStranger) unknown = filled(unknown, unknownPerSecond, unknownPerSecond / 1000);
      if (own.left < 1) throw tooOften(((1 - own.left) * 60) / perMinute);
      if (isStranger && unknown.left < 1) throw tooOften(1);
      buckets.set(key, { ...own, left: own.left - 1 });
      if (isStranger) unknown = { ...unknown, left: unknown.left - 1 };
    },
    know: (network) => void known.set(network, clock.now()),
  };
}

const tooOften = (seconds: number): AppError =>
  new AppError('rate_limited', { seconds: String(Math.max(1, Math.ceil(seconds))) });
