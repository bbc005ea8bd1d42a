export { approveChallenge, approveText, type Approval } from './approve.ts';
export { isClockFair } from './fair-clock.ts';
export { fingerprint } from './fingerprint.ts';
export type { Identity } from './identity-key.ts';
export { sortClients, type OwnClient, type SortedClients } from './own-clients.ts';
export { firstSlots, missingSlots } from './pass-slots.ts';
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
export { refusedServers } from './refused-servers.ts';
export { relist } from './relist.ts';
export { rotate } from './rotation.ts';
export { isRolledBack, rememberRevision, type Memory } from './seen-revision.ts';
export { signPairing, signPass, type PassClient } from './sign-pairing.ts';
export {
  signKeyRevoked,
  signLink,
  signRevocation,
  signServerList,
  signUnlink,
} from './sign-records.ts';
export { strip } from './strip.ts';
export { topUp } from './top-up.ts';
export {
  createVault,
  openVault,
  withNewVaultKey,
  withoutPasskey,
  withSecret,
  wrapOf,
  type OpenedVault,
  type VaultFault,
} from './vault.ts';
export { passkeySecret, prfInput, type VaultSecret } from './vault-secret.ts';
export { isVault, isVaultProven } from './vault-shape.ts';
