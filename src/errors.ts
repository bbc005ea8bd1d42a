/** Every code that the server raises, with the template of its message. */
const messages = {
  invalid_request: '{what}',
  invalid_admin_token: '{source} must be vtk_ followed by 64 hex digits (0-9, a-f).',
  unauthenticated: '{what}',
  forbidden: '{what}',
  profile_locked: 'This profile has a PIN. Unlock it with POST /api/profiles/:id/unlock.',
  read_only_key: 'This API key is read-only, so {method} is not allowed with it.',
  not_found: '{what} does not exist.',
  no_picture: '{what} is no picture that can be shown.',
  conflict: '{what}',
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
