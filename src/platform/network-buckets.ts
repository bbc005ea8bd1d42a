/** Limits what strangers begin, by their networks: nobody gets more by changing the address. */
import { createKeyedTokenBuckets } from '../../packages/lib/concurrency/index.ts';
import { steadyOf, type Clock } from './clock.ts';
import { householdOf, siteOf } from './networks.ts';

/** A token bucket for each household, and one for each site around it. */
export type NetworkBuckets = ReturnType<typeof createNetworkBuckets>;

/** The buckets that are kept; above that the least recently used one is full again. */
const mostKeys = 10_000;

/** Creates them; the numbers are requests a minute, all of which may come at once. */
export function createNetworkBuckets(
  { ofHousehold, ofSite }: Readonly<Record<'ofHousehold' | 'ofSite', number>>,
  clock: Clock,
) {
  const { now } = steadyOf(clock);
  const perMinute = (count: number) =>
    createKeyedTokenBuckets({ capacity: count, refill: count, everyMs: 60_000 }, { mostKeys, now });
  const households = perMinute(ofHousehold);
  const sites = perMinute(ofSite);

  return {
    /** Takes a token of both and returns 0, or takes none and returns the milliseconds to wait. */
    take: (address: string): number => {
      const [household, site] = [householdOf(address), siteOf(address)];
      const waitMs = Math.max(households.waitMs(household), sites.waitMs(site));
      return waitMs > 0 ? waitMs : Math.max(households.take(household), sites.take(site));
    },
  };
}
