export {
  startLicenseAuthority,
  type AuthorityOptions,
  type LicenseAuthority,
} from './license-authority.ts';
