/**
 * The interface between the broker and its pages, under `/web` (identity protocol, section 3.10).
 * It is not public: the two always have the same release. A session is a cookie; a request that
 * changes something needs the `Origin` of the broker itself. An error is `{error: code, message?}`.
 *
 * Each page (`/`, `/pair`, `/pair/:requestId`, `/link/:requestId`, `/recover`, `/developer`) is
 * `index.html` of `dist/broker-pages`; its files are at `/pages/<file>`.
 */
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';

/** Options to create a passkey, in the form for browsers (`parseCreationOptionsFromJSON`). */
export interface CreationOptionsJson {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[];
  readonly excludeCredentials: readonly { readonly id: string; readonly type: 'public-key' }[];
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly userVerification: 'required';
  };
  readonly attestation: 'none';
  readonly timeout: number;
}

/** Options to use a passkey, in the form for browsers (`parseRequestOptionsFromJSON`). */
export interface RequestOptionsJson {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials: readonly { readonly id: string; readonly type: 'public-key' }[];
  readonly userVerification: 'required';
  readonly timeout: number;
}

/** `toJSON()` of a credential, its extension results stripped to `{prf: {enabled}}` or nothing. */
export type CredentialJson = Readonly<Record<string, unknown>>;

/**
 * The vault key, wrapped for one secret of the user (section 2.3). All bytes are unpadded
 * base64url.
 */
export interface VaultWrap {
  readonly v: 1;
  readonly type: 'prf' | 'passphrase' | 'recovery';
  /** The credential's id; the passphrase's 16-byte salt; `recovery`. */
  readonly ref: string;
  /** 32 bytes. */
  readonly salt: string;
  /** 12 bytes. */
  readonly iv: string;
  readonly ct: string;
  /** For a passphrase: argon2id's memory in KiB, passes and lanes. */
  readonly kdf?: { readonly m: number; readonly t: number; readonly p: number };
}

/** The user's private key, encrypted with the vault key. */
export interface VaultKey {
  readonly v: 1;
  readonly userPubKey: string;
  readonly iv: string;
  readonly ct: string;
}

/**
 * Data that the broker stores for a user and cannot decrypt. `proof` is a record of kind `vault`;
 * its `wraps` is the SHA-256, in hex, of the canonical JSON of the list. There is always a wrap of
 * type `recovery` and at least one other.
 */
export interface Vault {
  readonly rev: number;
  readonly wraps: readonly VaultWrap[];
  readonly key: VaultKey;
  readonly proof: SignedObject;
}

/** The user of a session. */
export interface Account {
  readonly userId: string;
  readonly handle: string;
  readonly userPubKey: string;
}

/** A server that a user linked; the order of a list is the user's. */
export interface LinkedServer {
  readonly serverId: string;
  readonly baseUrl: string;
  readonly name: string;
  /** Milliseconds. */
  readonly linkedAt: number;
}

/** `POST register/options {handle}`: 409 `handle_taken`. */
export interface RegisterOptions {
  readonly userId: string;
  readonly options: CreationOptionsJson;
}

/**
 * `POST register/verify`, 201 {@link SignedIn}: user, passkey, vault and recovery in one step, so
 * that an account never has fewer than two ways to open its vault.
 */
export interface RegisterVerify {
  readonly userId: string;
  readonly handle: string;
  readonly credential: CredentialJson;
  readonly userPubKey: string;
  readonly vault: Vault;
  /** 32 bytes derived from the recovery code; the broker stores their SHA-256. */
  readonly recoveryAuth: string;
}

/** `POST login/options {}` → `{options}`; any passkey of this broker is accepted. */
export interface LoginOptions {
  readonly options: RequestOptionsJson;
}

/** `POST login/verify {credential}`; repeated, it makes the session's assertion recent again. */
export interface SignedIn {
  readonly account: Account;
  /** The passkey that signed in. */
  readonly credentialId: string;
  readonly vault: Vault;
  /** Milliseconds by the broker's clock. */
  readonly now: number;
}

/** `GET session`; 401 `signed_out`. `POST logout` ends it, 204. */
export interface SessionView {
  readonly account: Account;
  /**
   * Milliseconds; most changes need it to be at most 5 minutes ago, else 401 `assertion_required`.
   */
  readonly assertedAt: number;
  /**
   * It was created with a recovery code: only `recover/verify` works until there is a new passkey.
   */
  readonly isRecovery: boolean;
  readonly now: number;
}

/** `POST recover {handle, auth}` → {@link Recovery} and a session; 401 `recovery_refused`, 429. */
export interface Recovery {
  readonly account: Account;
  readonly vault: Vault;
  /** For the new passkey. */
  readonly options: CreationOptionsJson;
  readonly now: number;
}

/** `POST recover/verify` → {@link SignedIn}: a new passkey, a vault with its wrap, a new code. */
export interface RecoverVerify {
  readonly credential: CredentialJson;
  readonly vault: Vault;
  readonly recoveryAuth: string;
}

/** `GET vault` → `{vault}`; `PUT vault {vault}` → 204, 409 `vault_conflict` if `rev` does not grow. */
export interface VaultBody {
  readonly vault: Vault;
}

/** `GET passkeys` → `{passkeys}`. */
export interface PasskeyView {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly backedUp: boolean;
  readonly transports: readonly string[];
}

/** `POST passkeys/options {}` → `{options}`, `POST passkeys/verify` with this → 201 {@link PasskeyView}. */
export interface AddPasskey {
  readonly credential: CredentialJson;
  /** With a wrap for the new passkey, or unchanged when the passkey cannot open it (no PRF). */
  readonly vault: Vault;
}

/** `POST passkeys/:id/remove {vault}` → 204; the vault without the wrap. 409 `last_passkey`. */
export type RemovePasskey = VaultBody;

/** `POST recovery` → 204: a new recovery code in place of the old one. */
export interface NewRecovery {
  readonly vault: Vault;
  readonly recoveryAuth: string;
}

/** The app of a pairing request. */
export interface AppView {
  readonly appId: string;
  readonly name: string;
  readonly isVerified: boolean;
  /** The verified domain of the app; `null` when it is not verified. */
  readonly domain: string | null;
  /** `https:` URL; only of a verified app. */
  readonly icon: string | null;
}

/** `POST code {code: 8 digits}` → `{requestId}`; 404 `code_unknown`, 429 `rate_limited`. */
export interface CodeFound {
  readonly requestId: string;
}

/**
 * `GET pair/:requestId`; 404 `not_found`, 410 `pairing_gone` (for one that expired in the browser
 * flow the refusal has `redirect`, the address to return to).
 */
export interface PairView {
  readonly requestId: string;
  readonly app: AppView;
  readonly deviceName: string;
  readonly platform: string;
  readonly clientPubKey: string;
  /** The client id of this key, if the same key is paired again. */
  readonly existingClientId: string | null;
  readonly requestedAt: number;
  readonly expiresAt: number;
  /** The network of the request: its address without the last part. */
  readonly network: string;
  readonly isSameNetwork: boolean;
  /** In the browser flow: the address to return to. */
  readonly callbackUrl: string | null;
  readonly servers: readonly LinkedServer[];
  readonly now: number;
}

/**
 * `POST pair/:requestId/options {}`. The challenge is SHA-256 of the canonical
 * `{kind: 'approve', v: 1, appId, clientPubKey, deviceName, nonce, requestId}`, which the page checks.
 */
export interface ApproveOptions {
  readonly nonce: string;
  readonly options: RequestOptionsJson;
}

/** `POST pair/:requestId/approve` → {@link PairDone}; `POST pair/:requestId/deny {}` likewise. */
export interface ApproveBody {
  readonly credential: CredentialJson;
  /** The first pass, valid from now. */
  readonly cert: SignedObject;
  /** The six passes that follow it. */
  readonly batch: readonly SignedObject[];
  readonly serverList: SignedObject;
  /** Revocations of this client for the servers that the user unticked. */
  readonly revocations: readonly SignedObject[];
}

/** The address to which the browser goes: `callbackUrl?requestId=…&result=…`; `null` = it stays. */
export interface PairDone {
  readonly redirect: string | null;
}

/** `GET link/:requestId`; 404, 410 `link_gone`. */
export interface LinkView {
  readonly requestId: string;
  readonly serverId: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly nonce: string;
  readonly expiresAt: number;
  readonly now: number;
}

/**
 * `POST link/:requestId/approve`, 204; 409 `grant_mismatch`. `POST link/:requestId/deny {}`, 204.
 * The server's `linkedAt` is the grant's `iat` in milliseconds, so the page can sign the lists in
 * advance.
 */
export interface LinkApprove {
  /** A record of kind `server-link`. The server's `linkedAt` is its `iat` in milliseconds. */
  readonly grant: SignedObject;
  /** The lists of all active clients, with the new server at the end. */
  readonly lists: readonly SignedObject[];
}

/** `GET servers`. */
export interface ServersView {
  readonly servers: readonly LinkedServer[];
  /** New addresses or names of servers that the user has not accepted yet. */
  readonly updates: readonly Pick<LinkedServer, 'serverId' | 'baseUrl' | 'name'>[];
  readonly now: number;
}

/** `PUT servers` → 204: a new order, and updates that the user accepted or refused. */
export interface PutServers {
  readonly order: readonly string[];
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  readonly lists: readonly SignedObject[];
}

/** `GET clients` → `{clients, now}`, newest first. */
export interface ClientView {
  readonly clientId: string;
  readonly app: AppView;
  readonly deviceName: string;
  readonly platform: string;
  readonly pairedAt: number;
  /** When it last requested a renewal. */
  readonly lastSeenAt: number | null;
  readonly revokedAt: number | null;
  /** Its newest pass that is valid already. */
  readonly cert: SignedObject;
  /** Of all stored passes, in seconds. */
  readonly iats: readonly number[];
  readonly serverList: SignedObject;
}

/** `POST batch` → 204: further passes and, when they changed, lists. */
export interface BatchBody {
  readonly passes: readonly SignedObject[];
  readonly lists: readonly SignedObject[];
}

/** A record of the feed; `newSig` beside a rotation. */
export interface FeedRecord extends SignedObject {
  readonly newSig?: string;
}

/** `GET records` → `{records}`: the user's own records in the feed. `POST records` → 204. */
export interface RecordsBody {
  readonly records: readonly FeedRecord[];
  /** The lists of active clients when a server was unlinked. */
  readonly lists: readonly SignedObject[];
}

/** `POST rotate` → 204: a new identity key, all or nothing. */
export interface RotateBody {
  readonly record: FeedRecord;
  readonly vault: Vault;
  readonly passes: readonly SignedObject[];
  readonly lists: readonly SignedObject[];
}

/**
 * An app as its developer sees it. `GET apps` → `{apps}`; `POST apps` → 201. `POST
 * apps/:appId/verify {}` checks the proof of its domain now: 409 `domain_unproven`. `DELETE
 * apps/:appId` → 204; the id is never used again.
 */
export interface DeveloperApp extends AppView {
  readonly callbacks: readonly string[];
  readonly isEnabled: boolean;
  readonly createdAt: number;
  /** The proof of the domain: this text in a DNS TXT record, or in its well-known file. */
  readonly proof: string | null;
}

/** `POST apps`; 409 `app_id_taken`, 400 `callback_invalid`. `PATCH apps/:appId` has all but the slug. */
export interface NewApp {
  /** 3 to 32 characters; the id is permanently `app_<slug>`. */
  readonly slug: string;
  readonly name: string;
  readonly callbacks: readonly string[];
  /** `null` = no domain. */
  readonly domain: string | null;
  readonly icon: string | null;
}
