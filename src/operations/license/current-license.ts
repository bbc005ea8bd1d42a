import type { LicenseClaims, LicenseVerdict } from '../../../plugin-api/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import { maskedKey } from './license-key.ts';
import {
  statusAt,
  unjudged,
  unlicensed,
  type StoredLicense,
  type LicenseStatus,
} from './license.ts';
import type { License } from '../../contract/resources/operations/license.ts';

/** The stored license, with its verdict. */
export interface LoadedLicense {
  readonly stored: StoredLicense;
  /** `null` when the key is no longer valid: another issuer, or none. */
  readonly claims: LicenseClaims | null;
  readonly verdict: LicenseVerdict | null;
}

/** The license in memory; its activity is evaluated at each call. */
export interface CurrentLicense {
  readonly held: () => LoadedLicense | null;
  readonly hold: (license: LoadedLicense) => void;
  /** There is a license that cannot be decrypted, so even its key is unknown. */
  readonly holdUnreadable: () => void;
  readonly clear: () => void;
  readonly isThere: () => boolean;
  readonly status: () => LicenseStatus;
  /** The limits, by kind. */
  readonly limits: () => Readonly<Record<string, number>>;
  readonly view: () => License;
}

/** Creates it without a license. */
export function createCurrentLicense(now: () => number): CurrentLicense {
  let held: LoadedLicense | null = null;
  let isUnreadable = false;

  function set(license: LoadedLicense | null, unreadable = false): void {
    held = license;
    isUnreadable = unreadable;
  }

  function status(): LicenseStatus {
    if (held === null) return isUnreadable ? 'invalid' : 'unlicensed';
    const { claims, verdict } = held;
    if (claims === null) return 'invalid';
    return statusAt(verdict ?? unjudged(claims), claims, now());
  }

  function view(): License {
    if (held === null) return { ...unlicensed, status: status() };
    const { stored, claims, verdict } = held;
    return {
      status: status(),
      tier: verdict?.tier ?? claims?.tier ?? null,
      limits: verdict?.limits ?? claims?.limits ?? {},
      expiresAt: claims && toTimestamp(claims.exp * 1000),
      lastValidatedAt: toTimestamp(stored.confirmedAt),
      maskedKey: maskedKey(stored.licenseKey),
    };
  }

  return {
    held: () => held,
    hold: set,
    holdUnreadable: () => set(null, true),
    clear: () => set(null),
    isThere: () => held !== null || isUnreadable,
    status,
    limits: () => held?.verdict?.limits ?? held?.claims?.limits ?? {},
    view,
  };
}
