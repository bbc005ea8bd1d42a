export { isClockFair } from './fair-clock.ts';
export { fingerprint } from './fingerprint.ts';
export { sortClients, type SortedClients } from './own-clients.ts';
export {
  createPassphrase,
  isStrongPassphrase,
  newPassphraseSecret,
  passphraseSecret,
} from './passphrase.ts';
export {
  createRecoveryCode,
  groupRecoveryCode,
  parseRecoveryCode,
  recoveryAuth,
  recoverySecret,
} from './recovery-code.ts';
export { relist } from './relist.ts';
export { rotate } from './rotation.ts';
export { signPairing, signPass } from './sign-pairing.ts';
export {
  signKeyRevoked,
  signLink,
  signRevocation,
  signServerList,
  signUnlink,
} from './sign-records.ts';
export { topUp } from './top-up.ts';
export {
  createVault,
  openVault,
  withNewVaultKey,
  withoutPasskey,
  withSecret,
  type OpenedVault,
} from './vault.ts';
export { passkeySecret, type VaultSecret } from './vault-secret.ts';
