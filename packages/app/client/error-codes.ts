/**
 * All error codes, with their meaning and what an app should do. Codes of the wire keep their
 * spelling.
 */
export const errorCodes = {
  // Caused by the app
  invalid_request: 'A value from the app is not valid in the protocol.',
  unsupported:
    'The platform lacks a feature (named in the message); provide it as an option or a polyfill.',
  store_failed: 'The storage of the app failed; data will be lost at a restart until it works.',
  failed: 'Code of the app or of the platform threw an exception; it is in `cause`.',
  not_signed_in: 'There is no account on this device. Pair first.',
  unknown_server: 'The account has no server with this id.',
  cancelled: 'The app cancelled it: by cancelling a pairing, by a sign-out or a stop.',

  // Network
  unreachable:
    'There was no reply, or one that asks to retry later. It is retried; show the server as offline.',
  rate_limited: 'Too many requests from this address. It is retried after the requested time.',
  slow_down: 'Polled too often. The next poll waits longer.',
  bad_reply: 'The reply does not conform to the protocol. It was ignored.',
  refused:
    'It was refused for a reason that this release does not know; the code is in `wireCode`.',
  request_failed: 'A server replied to a request with an error; see `status` and `wireCode`.',

  // Pairing
  unknown_app: 'The broker does not know the app id. Register the app.',
  app_disabled:
    'The operator of the broker has disabled the app. Its developer should contact the operator.',
  invalid_key: 'The broker refuses the public key of this device. Remove the key and pair again.',
  callback_not_registered: 'The callback URL is not registered for the app.',
  callback_unknown: 'A callback for a pairing that was not started here. It was ignored.',
  denied: 'The user denied it.',
  expired: 'Ten minutes passed without an approval. Start a new pairing.',
  not_found: 'The broker no longer has the pairing. Start a new one.',
  client_key_revoked:
    'The key of this device was revoked. It is removed; a new pairing creates another.',
  internal: 'The broker failed while it completed the pairing. Start a new one.',

  // Passes
  cert_malformed: 'The pass is not a signed object of exactly the ten claims.',
  cert_version: 'This release does not support the version of the pass.',
  cert_bad_signature: 'The pass is not signed with the key that it names.',
  cert_wrong_app: 'The pass is for another app.',
  cert_wrong_key: 'The pass is for a key other than that of this device.',
  cert_wrong_client: 'The new pass is for a different client or user than the old one.',
  cert_stale: 'The new pass is not newer than the old one.',
  cert_lifetime: 'The lifetime of the pass is above 60 days.',
  cert_not_yet_valid: 'The pass is not valid yet; a clock is wrong.',
  cert_expired: 'The pass has expired. Pair again.',
  rotation_invalid: 'The key of the user has changed, and no valid record proves the change.',
  server_list_invalid: 'The list of servers is not signed by the user, or is for another client.',
  servers_mismatch: 'The list of servers differs from the one that the user signed.',

  // Renewal
  client_mismatch: 'The pass belongs to a client other than the one that is renewed.',
  unknown_client: 'The broker does not know this client. The pass is valid until it expires.',
  replayed: 'The same renewal was requested a moment ago. It is retried.',
  renewal_too_early: 'A pass can be renewed from 30 days after it was signed.',
  revoked: 'The user revoked this device. All data of the user is deleted; pair again.',

  // Signing in to a server
  challenge_malformed: 'The challenge of the server is not 32 bytes in hex. Nothing was signed.',
  challenge_invalid: 'The server no longer has the challenge. It is retried.',
  clock_skew: 'The clocks differ by more than five minutes, also after a correction.',
  wrong_server: 'A different server answers at the address.',
  bad_signature: 'The signature does not match the key that the pass names.',
  identity_disabled: 'The server is not linked to any identity.',
  identity_unknown: 'The server is not linked to this identity. The user must link it there.',
  identity_relink_required: 'The user must link the identity to the server again.',
  identity_rotated: 'The server knows a newer key of the user. The pass is renewed immediately.',
  account_disabled: 'The account of the user on the server is disabled.',
  scope_denied: 'The pass does not grant access to this server.',
  identity_revoked: 'The user revoked this device. All data of the user is deleted; pair again.',
  token_missing: 'The server requires a session. One is created automatically.',
  token_invalid: 'The server does not know the session. A new one is created automatically.',
  token_expired: 'The session has expired. A new one is created automatically.',
} as const;

/** A closed set; later releases only add codes. */
export type IdentityErrorCode = keyof typeof errorCodes;

/** Whether a text of the wire is a known code. */
export const isErrorCode = (value: unknown): value is IdentityErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCodes, value);
