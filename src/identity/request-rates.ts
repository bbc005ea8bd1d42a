/**
 * How often strangers may ask. Each network has its own measure; and those from which nobody has
 * signed in for a day share one, so that their junk cannot lock out the devices of the house.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

/** What one may ask for. */
export type RatedRequest = 'begin' | 'complete';

/** The measures. */
export interface RequestLimits {
  /** Of each request, of one network. */
  readonly perMinute: number;
  /** Of all networks together that are not known. */
  readonly unknownPerSecond: number;
}

/** Counts requests. */
export interface RequestRates {
  /** Throws `rate_limited` with how long to wait. */
  readonly admit: (request: RatedRequest, network: string) => void;
  /** Somebody signed in from there. */
  readonly know: (network: string) => void;
}

export const usualLimits: RequestLimits = { perMinute: 30, unknownPerSecond: 50 };

const mostNetworks = 10_000;
const knownForMs = 24 * 60 * 60_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Creates rates that have counted nothing. */
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
