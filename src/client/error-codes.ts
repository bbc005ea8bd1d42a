/**
 * Every way in which something here fails, with what it means and what an app does. Codes that come
 * over the wire are spelled as there.
 */
export const errorCodes = {
  // Of the app's own making
  invalid_request: 'A value that the app gave, or sent, is not what the protocol takes.',
  unsupported:
    'The platform lacks what is needed (the message says what); bring it as a part or a polyfill.',
  store_failed: 'The storage of the app failed; nothing goes on over a restart until it works.',
  failed: 'Something of the app or of the platform threw; `cause` has it.',
  not_signed_in: 'There is no account on this device. Pair first.',
  unknown_server: 'The account has no server of this id.',
  cancelled: 'The app itself ended it: a cancelled pairing, a sign-out, a stop.',

  // Of the way there
  unreachable:
    'No answer, or one that says "later". It is tried again; show the server as offline.',
  rate_limited: 'Too many requests from this address. It is tried again after the time asked for.',
  slow_down: 'Polled too often. The next poll waits longer.',
  bad_reply: 'The answer is not what the protocol says. Nothing of it was used.',
  refused: 'It was refused for a reason that this release does not know; `wireCode` has it.',
  request_failed: 'A server answered a request with an error; `status` and `wireCode` say which.',

  // Of pairing
  unknown_app: 'The broker does not know the app id. Register the app.',
  app_disabled: 'The broker has switched the app off. Its developer asks the operator why.',
  invalid_key: 'The broker refuses the public key of this device. Remove the key and pair again.',
  callback_not_registered: 'The callback URL is not one of those that the app registered.',
  callback_unknown: 'A callback for a pairing that was not started here. It was dropped.',
  denied: 'The user said no.',
  expired: 'Ten minutes passed without an approval. Start a new pairing.',
  not_found: 'The broker does not know the pairing any more. Start a new one.',
  client_key_revoked: 'The key of this device was revoked. It is removed; a new pairing makes one.',
  internal: 'The broker failed while it completed the pairing. Start a new one.',

  // Of passes
  cert_malformed: 'The pass is not a signed object of exactly the ten claims.',
  cert_version: 'The pass is of a version that is not known here.',
  cert_bad_signature: 'The pass is not signed by the key that it names.',
  cert_wrong_app: 'The pass is for another app.',
  cert_wrong_key: 'The pass is for another key than that of this device.',
  cert_wrong_client: 'The new pass is for another client or user than the old one.',
  cert_stale: 'The new pass is not newer than the old one.',
  cert_lifetime: 'The pass would be good for longer than 60 days.',
  cert_not_yet_valid: 'The pass is not good yet; a clock is wrong.',
  cert_expired: 'The pass has expired. Pair again.',
  rotation_invalid: 'The user has another key than before, and no valid record says so.',
  server_list_invalid: 'The list of servers is not signed by the user, or is for another client.',
  servers_mismatch: 'The list of servers is not the one that the user signed.',

  // Of renewal
  client_mismatch: 'The pass is of another client than the one that is renewed.',
  unknown_client: 'The broker does not know this client. The pass is good until it expires.',
  replayed: 'The same renewal was asked for a moment ago. It is tried again.',
  renewal_too_early: 'A pass can be renewed from 30 days after it was made.',
  revoked: 'The user revoked this device. Everything of the user is cleared; pair again.',

  // Of signing in to a server
  challenge_malformed: 'The challenge of the server is not 32 bytes in hex. Nothing was signed.',
  challenge_invalid: 'The server no longer knows the challenge. It is tried again.',
  clock_skew: 'The clocks differ by more than five minutes, also after a correction.',
  wrong_server: 'At the address of the server there is another one.',
  bad_signature: 'The signature is not by the key that the pass names.',
  identity_disabled: 'The server has no link to any identity.',
  identity_unknown: 'The server has no link to this identity. The user links it there.',
  identity_relink_required: 'The server wants the user to link the identity again.',
  identity_rotated: 'The server knows a newer key of the user. The pass is renewed at once.',
  account_disabled: 'The account of the user on the server is switched off.',
  scope_denied: 'The pass is not for this server.',
  identity_revoked: 'The user revoked this device. Everything of the user is cleared; pair again.',
  token_missing: 'The server wants a session. One is opened by itself.',
  token_invalid: 'The server does not know the session. A new one is opened by itself.',
  token_expired: 'The session has ended. A new one is opened by itself.',
} as const;

/** A closed set; codes are only ever added. */
export type IdentityErrorCode = keyof typeof errorCodes;

/** Whether a text of the wire is a code that is known here. */
export const isErrorCode = (value: unknown): value is IdentityErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCodes, value);
