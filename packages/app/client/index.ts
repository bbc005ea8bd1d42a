export { createApiCall, type ApiCall, type Resources } from './api-call.ts';
export type { Fetch } from './ask.ts';
export { createBrowserStorage, type BrowserStorage } from './browser-storage.ts';
export { isCallback } from './callback.ts';
export { createClient, type Client, type ClientOptions, type Server } from './client.ts';
export { systemClock, type Clock, type Undo } from './clock.ts';
export { errorCodes, type IdentityErrorCode } from './error-codes.ts';
export { IdentityError, type ErrorDetails } from './identity-error.ts';
export type { ClientKey, KeyStore } from './key-store.ts';
export type { Platform } from './platform.ts';
export { systemRandom, type RandomBytes } from './random.ts';
export type { ItemPage, ItemQuery, Rest } from './rest.ts';
export { createMemoryKeyStore, createSeedKeyStore, type SecretPlace } from './seed-key-store.ts';
export type {
  Account,
  ClientEvent,
  ClientState,
  CodePairing,
  LinkedServer,
  Listener,
  PairAgainReason,
  RenewalOutcome,
  ServerState,
  ServerStatus,
  ShownPairing,
} from './state.ts';
export { createMemoryStore, type TextStore } from './store.ts';
