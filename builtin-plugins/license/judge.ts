import type { LicenseState, LicenseVerdict } from '../../plugin-api/index.ts';

/** How long a license stays valid while the activation service cannot be reached. */
export const graceMs = 14 * 24 * 3600 * 1000;

/** `license.activate` and `license.status`: the same decision from the same facts. */
export function judge(state: LicenseState): LicenseVerdict {
  const { claims, now, hasAuthority, confirmedAt, refusal } = state;
  const { tier, limits } = claims;
  const expiresAt = claims.exp * 1000;
  const until = hasAuthority ? Math.min(expiresAt, confirmedAt + graceMs) : expiresAt;
  if (now >= expiresAt) return { status: 'expired', tier, limits, until };
  const isGood = refusal === null && now < until;
  return { status: isGood ? 'active' : 'invalid', tier, limits, until };
}
