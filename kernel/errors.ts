/** Every error code of the kernel, with the template of its message. */
const messages = {
  permission_denied: 'The plugin was not granted {what}.',
  invalid_argument: '{what}',
  not_found: '{what} does not exist.',
  conflict: '{what}',
  quota_exceeded: '{what}',
  unreadable: '{what} could not be read.',
  outside_root: '{what} is outside of the granted roots.',
  symlink_loop: '{what} is a symlink loop.',
  watch_unavailable: '{what} cannot be watched for changes.',
  no_filesystem: 'No running plugin serves {what}.',
  service_unavailable: '{what} is not available.',
  plugin_not_running: 'Plugin {what} is not running.',
  handler_suspended: '{what}',
  plugin_failed: '{what}',
  invalid_config: '{what}',
  invalid_transition: '{what}',
  storage_failed: '{what}',
  storage_busy: '{what}',
  storage_full: '{what}',
  storage_read_only: '{what}',
  storage_damaged: '{what}',
  net_unreachable: '{what}',
  net_timeout: '{what}',
  net_refused: '{what}',
  too_large: '{what}',
  overloaded: '{what}',
} as const;

/** What a failure of the kernel is, in a word that callers compare. */
export type KernelErrorCode = keyof typeof messages;

/** The database or its disk failed. The request itself was not at fault and can be repeated. */
const outages: ReadonlySet<string> = new Set([
  'storage_failed',
  'storage_busy',
  'storage_full',
  'storage_read_only',
  'storage_damaged',
] satisfies readonly KernelErrorCode[]);

/** Whether the code is one of these outages, also when a plugin passes it on. */
export const isOutageCode = (code: string): boolean => outages.has(code);

/** Whether a call failed because the plugin was not granted the resource. */
export const isNotGranted = (error: unknown): boolean =>
  error instanceof KernelError && error.code === 'permission_denied';

/** Whether a call failed because the plugin has no handler for its method. */
export const isUnhandled = (error: unknown): boolean =>
  error instanceof KernelError &&
  typeof error.cause === 'object' &&
  error.cause !== null &&
  'code' in error.cause &&
  error.cause.code === 'unknown_handler';

/** All codes, for the test that compares this catalogue with docs/errors.md. */
export const kernelErrorCodes = Object.keys(messages) as readonly KernelErrorCode[];

/**
 * An expected failure inside the kernel or a host service. `what` names the faulty thing and fills
 * the code's template. It is sent to plugins, so it holds no path, stack or SQL.
 */
export class KernelError extends Error {
  readonly code: KernelErrorCode;

  constructor(code: KernelErrorCode, what: string, options?: { readonly cause?: unknown }) {
    super(
      messages[code].replace('{what}', () => what),
      options,
    );
    this.name = 'KernelError';
    this.code = code;
  }
}

/** Whether the database failed, not the request. */
export const isOutage = (error: unknown): error is KernelError =>
  error instanceof KernelError && outages.has(error.code);

/** As `isOutage`, and also for an outage that a plugin met in its own call and passed on. */
export function isOutageUnder(error: unknown): boolean {
  if (isOutage(error)) return true;
  const cause: unknown = error instanceof KernelError ? error.cause : null;
  return typeof cause === 'object' && cause !== null && 'code' in cause
    ? outages.has(String(cause.code))
    : false;
}
