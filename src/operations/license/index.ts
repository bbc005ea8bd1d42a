export { createAuthority, type Authority, type AuthorityParts } from './authority-client.ts';
export {
  issueLicenseKey,
  issuerOf,
  maskedKey,
  readLicenseKey,
  verifyLicenseKey,
  type KeyVerdict,
  type LicenseFault,
} from './license-key.ts';
export { licenseMigrations } from './license-migrations.ts';
export { type Activation } from './license.ts';
export { createLicensing, type Licensing, type LicensingParts } from './licensing.ts';
export type { AssertRoom, LimitedKind } from './room-store.ts';
