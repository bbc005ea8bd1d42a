/** The versions of a plugin that were installed here before: a rollback returns to one of them. */
import type { Installs, Verdict } from '../../../kernel/run/index.ts';
import type { PackageRecord } from '../../../kernel/run/packages/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import type { Offer } from './catalogue.ts';

export type EarlierVersion = PackageRecord['earlier'][number];

/** An earlier version as shown to admins. */
export interface ShownEarlier {
  readonly version: string;
  readonly replacedAt: string;
  /** Whether its code and data are kept here; else its code comes from a source again. */
  readonly isKept: boolean;
  /** Whether a rollback without a version returns to it. */
  readonly isNext: boolean;
  readonly revoked: string | null;
}

/** The earlier versions of a plugin, the one that was replaced last first. */
export function shownEarlier(
  { find, earlier }: Pick<Installs, 'find' | 'earlier'>,
  id: string,
  verdict: Verdict,
): readonly ShownEarlier[] {
  const record = find(id);
  if (!record) return [];
  return earlier(id).map((one) => {
    const { version, leftAt, kept, isNext } = one;
    const revoked = verdict({ ...record, ...one });
    return { version, replacedAt: toTimestamp(leftAt), isKept: kept !== null, isNext, revoked };
  });
}

/** The offers that have exactly this package. */
export const offersWith = (
  { version, sha256 }: EarlierVersion,
  offers: readonly Offer[],
): readonly Offer[] =>
  offers.filter(({ plugin }) =>
    plugin.versions.some((one) => one.version === version && one.sha256 === sha256),
  );
