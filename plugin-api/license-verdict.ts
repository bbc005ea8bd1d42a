/**
 * The signed claims of a license. The server checks the signature; a plugin never sees the license
 * key.
 */
export interface LicenseClaims {
  readonly id: string;
  readonly tier: string;
  /** The limit of each kind: `users`, `libraries`, `profiles`. Absent = unlimited. */
  readonly limits: Readonly<Record<string, number>>;
  /** How many servers may use it at once. */
  readonly seats: number;
  /** Unix seconds. */
  readonly iat: number;
  /** Unix seconds. */
  readonly exp: number;
}

/** What a license plugin is told about the license of its server. Times are Unix milliseconds. */
export interface LicenseState {
  readonly claims: LicenseClaims;
  /** The present time. It never decreases, even when the clock of the machine does. */
  readonly now: number;
  readonly activatedAt: number;
  /** When the license was last confirmed: by the activation service, if there is one. */
  readonly confirmedAt: number;
  /** Whether the server has an activation service. */
  readonly hasAuthority: boolean;
  /**
   * Why the activation service refuses the license: `seats` = other servers use all seats. `null` =
   * it accepts it, or has not been reached since it did.
   */
  readonly refusal: 'seats' | 'refused' | null;
}

/**
 * The verdict of a license plugin. It may allow less than the issuer signed but never more: the
 * server ignores `active` after `exp`, and any limit above a signed one.
 */
export interface LicenseVerdict {
  readonly status: 'active' | 'expired' | 'invalid';
  readonly tier: string;
  readonly limits: Readonly<Record<string, number>>;
  /** An `active` license ends at this moment, unless the plugin extends it. */
  readonly until: number;
}
