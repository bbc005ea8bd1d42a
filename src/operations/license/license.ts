import type { LicenseClaims, LicenseVerdict } from '../../../plugin-api/index.ts';
import { isLimits, type LicenseFault } from './license-key.ts';
import type { licenseStatuses } from '../../contract/resources/operations/license.ts';
import { type License } from '../../contract/resources/operations/license.ts';

export type LicenseStatus = (typeof licenseStatuses)[number];

/** The result of an activation. */
export type Activation =
  | { readonly ok: true; readonly license: License }
  | { readonly ok: false; readonly code: LicenseFault; readonly message: string }
  | {
      readonly ok: false;
      readonly conflict: true;
      readonly current: number;
      readonly max: number;
      readonly message: string;
    };

/** The stored data of an activated license; times are Unix milliseconds. */
export interface StoredLicense {
  readonly licenseKey: string;
  readonly activatedAt: number;
  readonly confirmedAt: number;
  /** The latest time that was ever seen; a clock that is set back does not go below it. */
  readonly latestSeenAt: number;
  readonly refusal: 'seats' | 'refused' | null;
}

/** The state without a license. */
export const unlicensed: License = {
  status: 'unlicensed',
  tier: null,
  limits: {},
  expiresAt: null,
  lastValidatedAt: null,
  maskedKey: null,
};

/** The verdict of a plugin, parsed; `null` when it is malformed. */
export function parseVerdict(answer: unknown): LicenseVerdict | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { status, tier, limits, until } = answer as Readonly<Record<string, unknown>>;
  if (status !== 'active' && status !== 'expired' && status !== 'invalid') return null;
  if (typeof tier !== 'string' || tier.length > 100 || !isLimits(limits)) return null;
  if (typeof until !== 'number' || !Number.isSafeInteger(until)) return null;
  return { status, tier, limits, until };
}

/** The verdict, limited to the signed claims: a plugin may allow less, never more. */
export function withinClaims(verdict: LicenseVerdict, claims: LicenseClaims): LicenseVerdict {
  const signed = Object.entries(claims.limits).map(
    ([kind, most]) => [kind, Math.min(most, own(verdict.limits, kind) ?? most)] as const,
  );
  return {
    ...verdict,
    limits: { ...verdict.limits, ...Object.fromEntries(signed) },
    until: Math.min(verdict.until, claims.exp * 1000),
  };
}

/** Own properties only: a limit may be named `toString`, which every object inherits. */
const own = (limits: Readonly<Record<string, number>>, kind: string): number | undefined =>
  Object.hasOwn(limits, kind) ? limits[kind] : undefined;

/** The verdict without a plugin: not active, with the signed limits. */
export const unjudged = (claims: LicenseClaims): LicenseVerdict => ({
  status: 'invalid',
  tier: claims.tier,
  limits: claims.limits,
  until: 0,
});

/** The status at a time: an active license expires exactly at its end. */
export function statusAt(verdict: LicenseVerdict, claims: LicenseClaims, now: number) {
  if (verdict.status !== 'active' || now < verdict.until) return verdict.status;
  return now >= claims.exp * 1000 ? 'expired' : 'invalid';
}
