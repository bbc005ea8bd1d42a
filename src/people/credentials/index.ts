export {
  createAttemptGate,
  type Attempt,
  type AttemptGate,
  type AttemptLimit,
} from './attempt-gate.ts';
export { createSharedAttemptGate } from './shared-attempt-gate.ts';
export {
  createAuthenticate,
  type Authenticate,
  type Caller,
  type CredentialHeaders,
  type Credentials,
} from './credentials.ts';
export { createLinkTokens, type LinkedMedia, type LinkTokens } from './link-tokens.ts';
export type { HashFor } from './hash-queue.ts';
export { createPasswords, type Passwords } from './passwords.ts';
export type { Principal } from './principal.ts';
export { isRoutePattern, opensRoute } from './route-scope.ts';
export { createSpentChallenges, type SpentChallenges } from './spent-challenges.ts';
export { hashOfToken } from './token.ts';
export { createUseNotes } from './use-notes.ts';
