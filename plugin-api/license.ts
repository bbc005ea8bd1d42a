/**
 * What the issuer signed. The server checks the signature itself; the license key is never shown to
 * a plugin.
 */
export interface LicenseClaims {
  readonly id: string;
  readonly tier: string;
  /** How many of a kind there may be: `users`, `libraries`, `profiles`. Absent = unlimited. */
  readonly limits: Readonly<Record<string, number>>;
  /** How many servers may use it at once. */
  readonly seats: number;
  /** Unix seconds. */
  readonly iat: number;
  /** Unix seconds. */
  readonly exp: number;
}

/** All that a license plugin is told of the license of its server. Times are Unix milliseconds. */
export interface LicenseState {
  readonly claims: LicenseClaims;
  /** This moment. It never goes back, even when the clock of the machine does. */
  readonly now: number;
  readonly activatedAt: number;
  /** When the license was last found good: by the activation service, if there is one. */
  readonly confirmedAt: number;
  /** Whether the server has an activation service to ask. */
  readonly hasAuthority: boolean;
  /**
   * Why the activation service takes the license no more: `seats` = other servers hold them all.
   * `null` = it takes it, or has not been reached since it did.
   */
  readonly refusal: 'seats' | 'refused' | null;
}

/**
 * What a license plugin makes of it. It may allow less than the issuer signed and never more: the
 * server takes no `active` after `exp`, and no limit above a signed one.
 */
export interface LicenseVerdict {
  readonly status: 'active' | 'expired' | 'invalid';
  readonly tier: string;
  readonly limits: Readonly<Record<string, number>>;
  /** An `active` license is not active beyond this moment, unless the plugin says so again. */
  readonly until: number;
}
