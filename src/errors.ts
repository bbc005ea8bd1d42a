/** Every code that the server raises, with the template of its message. */
const messages = {
  invalid_request: '{what}',
  invalid_admin_token: '{source} must be vtk_ followed by 64 hex digits (0-9, a-f).',
  unauthenticated: '{what}',
  forbidden: '{what}',
  csrf: '{what}',
  profile_locked: 'This profile has a PIN. Unlock it with POST /api/profiles/:id/unlock.',
  wrong_pin: 'The PIN is wrong. Tries left before a pause of ten minutes: {left}.',
  pin_needed: 'This profile has a PIN: tell it as currentPin to change or remove it.',
  invite_not_open: 'This invite does not exist, has expired or is used up.',
  route_refused: 'This API key opens some routes only, and {route} is none of them.',
  sign_in_failed: 'The name or the password is wrong.',
  account_disabled: 'This account is switched off. An admin can switch it on again.',
  passkey_required: 'The password is right, and this account needs a passkey as well.',
  passkey_refused: 'The passkey was refused. {why}',
  passkeys_unavailable:
    'Passkeys need a host name and https, or localhost: start the server with --public-url.',
  wrong_password: 'The password is wrong.',
  sign_in_again: 'This needs a fresh sign-in: sign in again, then repeat it.',
  too_many_attempts: 'Too many attempts failed. Wait {seconds} s, then try again.',
  wrong_setup_token: 'This is not the token of the setup link that the server printed last.',
  last_admin: '{name} is the only admin who can sign in. Make somebody else an admin first.',
  last_way_in: 'Without this passkey nobody could sign in as you. Add another way in first.',
  read_only_key: 'This API key is read-only, so {method} is not allowed with it.',
  not_found: '{what} does not exist.',
  no_picture: '{what} is no picture that can be shown.',
  conflict: '{what}',
  backup_refused: '{why}',
  NOT_FOUND: '{what}',
  ALREADY_LATEST: '{what}',
  DOWNLOAD_FAILED: '{what}',
  INDEX_EXPIRED: '{what}',
  INDEX_INVALID: '{what}',
  SHA256_MISMATCH: '{what}',
  INVALID_PACKAGE: '{what}',
  SIGNATURE_INVALID: '{what}',
  PUBLISHER_CHANGED: '{what}',
  INVALID_MANIFEST: '{what}',
  INCOMPATIBLE_VERSION: '{what}',
  START_FAILED: '{what}',
  REVOKED: '{what}',
  LICENSE_LIMIT: 'The limit of the license for {kind} is {max}, and there are {current}.',
  job_type_unknown: '{what}',
  job_running: 'Job {jobId} ({type} of {what}) is {status} already.',
  too_large: '{what}',
  not_json: 'The body must be JSON, with the header Content-Type: application/json.',
  too_many_requests: '{what}',
  upgrade_required:
    'This is a WebSocket: ask for it with Upgrade: websocket, from a WebSocket client.',
  token_missing: 'This needs a credential: send the header Authorization: Bearer <token>.',
  token_invalid: 'This is no token of an identity session that this server knows.',
  token_expired: 'The identity session is over: sign in again with the pass.',
  identity_revoked: 'The user has revoked this device. Pair it again.',
  rate_limited: 'Too many sign-ins from here. Wait {seconds} s, then try again.',
  identity_disabled: 'Nobody has linked an identity to this server.',
  identity_unknown: 'This identity is not linked to a user of this server.',
  identity_relink_required: 'The identity has a new key, or lost its old one: link it again.',
  identity_rotated: 'The identity has a new key: renew the pass.',
  identity_feed_pending:
    'The server has not yet read what the identity broker says of this link; try again in a moment.',
  identity_feed_stale: 'The server has not heard from the identity broker for too long.',
  identity_unavailable: '{what}',
  identity_taken: 'This identity is linked to another user of this server.',
  cert_malformed: 'The pass is not in the one form that a pass has.',
  cert_version: 'The pass is of a version that this server does not know.',
  cert_bad_signature: 'The pass is not signed by the user whom it names.',
  cert_lifetime: 'The pass is good for longer than a pass may be.',
  cert_not_yet_valid: 'The pass is not good yet.',
  cert_expired: 'The pass has expired.',
  scope_denied: 'The pass is not for this server.',
  wrong_server: 'This was signed for another server.',
  clock_skew: 'The clock of the app is off by more than five minutes; serverTime is right.',
  challenge_invalid: 'The challenge is unknown, used or too old: begin again.',
  bad_signature: 'This is not signed with the key that the pass names.',
  broker_unreachable: 'The identity broker could not be asked: {why}.',
  link_not_ready: '{what}',
  fingerprint_mismatch: 'This is not the fingerprint of the identity that asks to be linked.',
  starting: 'The server is starting. Try again in a moment.',
  stopping: 'The server is stopping.',
  unavailable: '{what}',
} as const;

/** A code of the server. */
export type AppErrorCode = keyof typeof messages;

/** All codes, for the house test that holds catalogue and docs together. */
export const appErrorCodes = Object.keys(messages) as readonly AppErrorCode[];

type Placeholder<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** What the message of a code is filled with. */
export type AppErrorFields<Code extends AppErrorCode> = {
  readonly [Name in Placeholder<(typeof messages)[Code]>]: string;
};

/**
 * An expected failure, told to the client as it is: the message names what was wrong and what would
 * be right, and holds no path of the server, stack or SQL. Anything else that is thrown is a bug.
 */
export class AppError<Code extends AppErrorCode = AppErrorCode> extends Error {
  readonly code: Code;
  readonly fields: AppErrorFields<Code>;

  constructor(code: Code, fields: AppErrorFields<Code>, options?: { readonly cause?: unknown }) {
    super(filled(messages[code], fields), options);
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
  }
}

function filled(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole);
}
