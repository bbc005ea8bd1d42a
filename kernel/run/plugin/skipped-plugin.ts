/** Why a plugin was skipped. */
export type SkippedReason =
  | 'invalid-manifest'
  | 'incompatible-version'
  | 'missing-dependency'
  | 'duplicate-id'
  | 'missing-entry'
  | 'invalid-signature'
  | 'revoked'
  | 'permissions-pending';

/** The skipped plugin entry of the specification; fields that could not be read are empty strings. */
export interface SkippedPlugin {
  /** Identifies the entry where ids are missing or duplicated. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly minVersion: string;
  readonly appVersion: string;
  readonly path: string;
  readonly reason: SkippedReason;
  readonly message: string;
}
