import type { LicenseClaims, LicenseVerdict } from '../../plugin-api/index.ts';
import { isLimits, type LicenseFault } from './license-key.ts';

/** The states of a license. */
export const licenseStatuses = ['unlicensed', 'active', 'expired', 'invalid'] as const;

/** One of them. */
export type LicenseStatus = (typeof licenseStatuses)[number];

/** The license of the server, as an admin sees it. */
export interface License {
  readonly status: LicenseStatus;
  readonly tier: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly expiresAt: string | null;
  readonly lastValidatedAt: string | null;
  readonly maskedKey: string;
}

/** How an attempt to activate a license ended. */
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

/** What is kept of an activated license; times are Unix milliseconds. */
export interface KeptLicense {
  readonly licenseKey: string;
  readonly activatedAt: number;
  readonly confirmedAt: number;
  /** The latest moment that was ever seen: a clock that is set back does not come before it. */
  readonly latestSeenAt: number;
  readonly refusal: 'seats' | 'refused' | null;
}

/** No license at all. */
export const unlicensed: License = {
  status: 'unlicensed',
  tier: '',
  limits: {},
  expiresAt: null,
  lastValidatedAt: null,
  maskedKey: '',
};

/** What a plugin made of the license, parsed; `null` when it is no verdict. */
export function parseVerdict(answer: unknown): LicenseVerdict | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { status, tier, limits, until } = answer as Readonly<Record<string, unknown>>;
  if (status !== 'active' && status !== 'expired' && status !== 'invalid') return null;
  if (typeof tier !== 'string' || tier.length > 100 || !isLimits(limits)) return null;
  if (typeof until !== 'number' || !Number.isSafeInteger(until)) return null;
  return { status, tier, limits, until };
}

/** The verdict within what the issuer signed: a plugin may allow less, never more. */
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

/** A limit may be named `toString`, which every object seems to have. */
const own = (limits: Readonly<Record<string, number>>, kind: string): number | undefined =>
  Object.hasOwn(limits, kind) ? limits[kind] : undefined;

/** What holds while no plugin says anything: nothing is active, and the signed limits stand. */
export const unjudged = (claims: LicenseClaims): LicenseVerdict => ({
  status: 'invalid',
  tier: claims.tier,
  limits: claims.limits,
  until: 0,
});

/** The status at a moment: an active license is that to the end of its time, whoever is asked. */
export function statusAt(verdict: LicenseVerdict, claims: LicenseClaims, now: number) {
  if (verdict.status !== 'active' || now < verdict.until) return verdict.status;
  return now >= claims.exp * 1000 ? 'expired' : 'invalid';
}
