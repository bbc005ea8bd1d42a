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
  LICENSE_LIMIT: 'The limit of the license for {kind} is {max}, and there are {current}.',
  job_running: 'Job {jobId} ({type} of {what}) is {status} already.',
  too_large: '{what}',
  not_json: 'The body must be JSON, with the header Content-Type: application/json.',
  too_many_requests: '{what}',
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
