/** Every code that the server raises, with the template of its message. */
const messages = {
  invalid_request: '{what}',
  invalid_admin_token: '{source} must be vtk_ followed by 64 hex digits (0-9, a-f).',
  unauthenticated: '{what}',
  forbidden: '{what}',
  csrf: '{what}',
  profile_locked: 'This profile has a PIN. Unlock it with POST /api/profiles/:id/unlock.',
  wrong_pin: 'The PIN is wrong. Tries left before a pause of ten minutes: {left}.',
  pin_needed: 'This profile has a PIN: send it as currentPin to change or remove it.',
  invite_not_open: 'This invite does not exist, has expired or is used up.',
  route_refused: 'This API key does not grant access to {route}.',
  sign_in_failed: 'The name or the password is wrong.',
  account_disabled: 'This account is switched off. An admin can switch it on again.',
  passkey_required: 'The password is right, but this account needs a passkey as well.',
  passkey_refused: 'The passkey was refused. {why}',
  passkeys_unavailable:
    'Passkeys need a host name and https, or localhost: start the server with --public-url.',
  wrong_password: 'The password is wrong.',
  sign_in_again: 'This request needs a recent sign-in: sign in again, then repeat it.',
  too_many_attempts: 'Too many attempts failed. Wait {seconds} s, then try again.',
  wrong_setup_token: 'This is not the token of the newest setup link that the server printed.',
  last_admin: '{name} is the only admin who can sign in. Make another user an admin first.',
  last_way_in:
    'This passkey is your only way to sign in. Add another passkey, or a password, first.',
  read_only_key: 'This API key is read-only, so {method} is not allowed with it.',
  not_found: '{what} does not exist.',
  outside_root:
    'This file leads out of the folders of its library, so it is not opened. Put the file itself into the library, or ask an admin to allow the folder.',
  no_picture: '{what} is not a supported image.',
  picture_refused: 'The picture cannot be used. {why}',
  no_text: '{what}',
  text_refused: 'The text cannot be shown. {why}',
  unplayable: 'The player cannot play this file ({reasons}). {why}',
  transcoder_missing:
    'The file must be converted for this player, and the server does not convert. {why}',
  transcode_limit: '{what} Try again in {seconds} s.',
  taken_over:
    'You began to play something else, here or elsewhere, and the server had no other place. So this session has ended.',
  gave_way: 'The session has ended, because the role {by} needed its place.',
  transcode_failed: 'The file could not be converted. {why}',
  segment_refused: 'This part of the file cannot be sent as it is. {why}',
  insufficient_storage: 'The disk of the server has no room for what it converts.',
  file_changed: 'The file has changed since the session began: begin another one.',
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
  too_often: '{what} Wait {seconds} s, then try again.',
  upgrade_required:
    'This route is a WebSocket: connect with a WebSocket client, which sends Upgrade: websocket.',
  token_missing: 'This route needs a credential: send the header Authorization: Bearer <token>.',
  token_invalid: 'The token is not that of an identity session of this server.',
  token_expired: 'The identity session has ended: sign in again with the pass.',
  identity_revoked: 'The user has revoked this device. Pair it again.',
  rate_limited: 'Too many sign-ins from this address. Wait {seconds} s, then try again.',
  identity_disabled: 'No user of this server has linked an identity.',
  identity_unknown: 'This identity is not linked to a user of this server.',
  identity_relink_required:
    'The key of the identity was replaced or lost: link the identity again.',
  identity_rotated: 'The identity has a new key: renew the pass.',
  identity_feed_pending:
    'The server has not yet read the revocations of this identity from the broker. Try again in a moment.',
  identity_feed_stale:
    'The identity broker has been unreachable for too long, so no identity can sign in.',
  identity_unavailable: '{what}',
  identity_taken: 'This identity is linked to another user of this server.',
  cert_malformed: 'The pass is malformed.',
  cert_version: 'This server does not support the version of the pass.',
  cert_bad_signature: 'The pass is not signed by the identity that it names.',
  cert_lifetime: 'The lifetime of the pass is above the maximum.',
  cert_not_yet_valid: 'The pass is not valid yet.',
  cert_expired: 'The pass has expired.',
  scope_denied: 'The pass does not grant access to this server.',
  wrong_server: 'The signature is for another server.',
  clock_skew: 'The clock of the client differs from serverTime by more than five minutes.',
  challenge_invalid: 'The challenge is unknown, used or expired: begin again.',
  bad_signature: 'The signature does not match the key that the pass names.',
  broker_unreachable: 'The identity broker could not be reached: {why}.',
  link_not_ready: '{what}',
  fingerprint_mismatch: 'The fingerprint is not that of the identity that asks to be linked.',
  starting: 'The server is starting. Try again in a moment.',
  stopping: 'The server is stopping.',
  unavailable: '{what}',
} as const;

/** An error code of the server. */
export type AppErrorCode = keyof typeof messages;

/** All error codes. A test compares them with `docs/errors.md`. */
export const appErrorCodes = Object.keys(messages) as readonly AppErrorCode[];

type Placeholder<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The values for the placeholders in the message of a code. */
export type AppErrorFields<Code extends AppErrorCode> = {
  readonly [Name in Placeholder<(typeof messages)[Code]>]: string;
};

/**
 * An expected failure, which the client receives as it is. The message names what was wrong and what would
 * be right; it holds no server path, stack or SQL. Any other exception is a bug.
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

/** A refusal of a request that may be sent again after so many milliseconds. */
export const tooOften = (what: string, waitMs: number): AppError =>
  new AppError('too_often', { what, seconds: String(Math.ceil(waitMs / 1000)) });
