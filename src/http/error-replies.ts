/**
 * The only table from an error to a reply. A code that stands here is an expected failure, and its
 * message is sent. Any other error is a bug: the client gets the id of the request, and the log has
 * the details under that id.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { KernelError, type KernelErrorCode, type Log } from '../../kernel/index.ts';
import { AppError, type AppErrorCode } from '../platform/errors.ts';
import { discardExcess } from './connection/excess-body.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { HttpApp } from './http-app.ts';

interface ErrorRule {
  readonly status: number;
  /** The body has the code too, since clients must distinguish it from others of its status. */
  readonly hasCode?: true;
  /** And the text as `message`, as the specification requires for marketplaces. */
  readonly hasMessage?: true;
  /** The form for apps of identities: `error` is a word, and the text is `message`. */
  readonly isForApps?: true;
  readonly retryAfterSeconds?: number;
  /** Somebody asks too often: the reply to a person waits (`held-refusals.ts`). */
  readonly isTooOften?: true;
}

/** `null`: the error is a bug and the client reads `internal error`. */
export const errorRules: Readonly<Record<AppErrorCode | KernelErrorCode, ErrorRule | null>> = {
  invalid_request: { status: 400 },
  invalid_argument: { status: 400 },
  invalid_config: { status: 400 },
  unauthenticated: { status: 401 },
  forbidden: { status: 403 },
  csrf: { status: 403, hasCode: true },
  permission_denied: { status: 403, hasCode: true },
  outside_root: { status: 403, hasCode: true },
  profile_locked: { status: 403, hasCode: true },
  wrong_pin: { status: 403, hasCode: true },
  pin_needed: { status: 403, hasCode: true },
  invite_not_open: { status: 404, hasCode: true },
  route_refused: { status: 403, hasCode: true },
  sign_in_failed: { status: 401, hasCode: true },
  account_disabled: { status: 403, hasCode: true },
  passkey_required: { status: 403, hasCode: true },
  passkey_refused: { status: 403, hasCode: true },
  passkeys_unavailable: { status: 409, hasCode: true },
  wrong_password: { status: 403, hasCode: true },
  sign_in_again: { status: 403, hasCode: true },
  too_many_attempts: { status: 429, hasCode: true, isTooOften: true },
  wrong_setup_token: { status: 403, hasCode: true },
  last_admin: { status: 409, hasCode: true },
  last_way_in: { status: 409, hasCode: true },
  read_only_key: { status: 403, hasCode: true },
  not_found: { status: 404 },
  no_picture: { status: 404, hasCode: true },
  picture_refused: { status: 422, hasCode: true },
  no_text: { status: 404, hasCode: true },
  text_refused: { status: 422, hasCode: true },
  unplayable: { status: 409, hasCode: true },
  transcoder_missing: { status: 503, hasCode: true },
  transcode_limit: { status: 429, hasCode: true },
  taken_over: { status: 410, hasCode: true },
  gave_way: { status: 410, hasCode: true },
  transcode_failed: { status: 502, hasCode: true },
  segment_refused: { status: 422, hasCode: true },
  insufficient_storage: { status: 507, hasCode: true },
  file_changed: { status: 412, hasCode: true },
  conflict: { status: 409 },
  job_type_unknown: { status: 422, hasCode: true },
  backup_refused: { status: 422, hasCode: true },
  NOT_FOUND: { status: 404, hasCode: true, hasMessage: true },
  ALREADY_LATEST: { status: 409, hasCode: true, hasMessage: true },
  DOWNLOAD_FAILED: { status: 502, hasCode: true, hasMessage: true },
  INDEX_EXPIRED: { status: 422, hasCode: true, hasMessage: true },
  INDEX_INVALID: { status: 422, hasCode: true, hasMessage: true },
  SHA256_MISMATCH: { status: 422, hasCode: true, hasMessage: true },
  INVALID_PACKAGE: { status: 422, hasCode: true, hasMessage: true },
  SIGNATURE_INVALID: { status: 422, hasCode: true, hasMessage: true },
  PUBLISHER_CHANGED: { status: 422, hasCode: true, hasMessage: true },
  INVALID_MANIFEST: { status: 422, hasCode: true, hasMessage: true },
  INCOMPATIBLE_VERSION: { status: 422, hasCode: true, hasMessage: true },
  START_FAILED: { status: 422, hasCode: true, hasMessage: true },
  REVOKED: { status: 422, hasCode: true, hasMessage: true },
  LICENSE_LIMIT: { status: 409, hasCode: true },
  job_running: { status: 409, hasCode: true },
  invalid_transition: { status: 409 },
  too_large: { status: 413 },
  not_json: { status: 415 },
  quota_exceeded: { status: 422, hasCode: true },
  unreadable: { status: 422, hasCode: true },
  symlink_loop: { status: 422, hasCode: true },
  watch_unavailable: { status: 503, hasCode: true, retryAfterSeconds: 5 },
  too_many_requests: { status: 429, isTooOften: true, retryAfterSeconds: 5 },
  too_often: { status: 429, hasCode: true, isTooOften: true },
  upgrade_required: { status: 426, hasCode: true },
  net_refused: { status: 403, hasCode: true },
  net_unreachable: { status: 502, hasCode: true },
  net_timeout: { status: 504, hasCode: true },
  plugin_failed: { status: 502, hasCode: true },
  plugin_not_running: { status: 503, hasCode: true, retryAfterSeconds: 5 },
  handler_suspended: { status: 503, hasCode: true, retryAfterSeconds: 60 },
  no_filesystem: { status: 503, hasCode: true, retryAfterSeconds: 5 },
  service_unavailable: { status: 503, hasCode: true, retryAfterSeconds: 5 },
  unavailable: { status: 503, retryAfterSeconds: 5 },
  starting: { status: 503, hasCode: true, retryAfterSeconds: 1 },
  stopping: { status: 503, hasCode: true, retryAfterSeconds: 5 },
  overloaded: { status: 503, hasCode: true, retryAfterSeconds: 1 },
  token_missing: { status: 401, hasCode: true },
  token_invalid: { status: 401, hasCode: true, isForApps: true },
  token_expired: { status: 401, hasCode: true, isForApps: true },
  identity_revoked: { status: 401, hasCode: true, isForApps: true },
  rate_limited: { status: 429, hasCode: true, isForApps: true, isTooOften: true },
  identity_disabled: { status: 404, hasCode: true, isForApps: true },
  identity_unknown: { status: 401, hasCode: true, isForApps: true },
  identity_relink_required: { status: 401, hasCode: true, isForApps: true },
  identity_rotated: { status: 401, hasCode: true, isForApps: true },
  identity_feed_pending: { status: 503, hasCode: true, isForApps: true, retryAfterSeconds: 5 },
  identity_feed_stale: { status: 503, hasCode: true, isForApps: true, retryAfterSeconds: 300 },
  cert_malformed: { status: 400, hasCode: true, isForApps: true },
  cert_version: { status: 400, hasCode: true, isForApps: true },
  cert_bad_signature: { status: 401, hasCode: true, isForApps: true },
  cert_lifetime: { status: 401, hasCode: true, isForApps: true },
  cert_not_yet_valid: { status: 401, hasCode: true, isForApps: true },
  cert_expired: { status: 401, hasCode: true, isForApps: true },
  scope_denied: { status: 403, hasCode: true, isForApps: true },
  wrong_server: { status: 401, hasCode: true, isForApps: true },
  clock_skew: { status: 401, hasCode: true, isForApps: true },
  challenge_invalid: { status: 401, hasCode: true, isForApps: true },
  bad_signature: { status: 401, hasCode: true, isForApps: true },
  identity_unavailable: { status: 409, hasCode: true },
  identity_taken: { status: 409, hasCode: true },
  link_not_ready: { status: 409, hasCode: true },
  fingerprint_mismatch: { status: 409, hasCode: true },
  broker_unreachable: { status: 502, hasCode: true },
  storage_failed: { status: 503, hasCode: true, retryAfterSeconds: 10 },
  storage_busy: { status: 503, hasCode: true, retryAfterSeconds: 5 },
  storage_full: { status: 507, hasCode: true, retryAfterSeconds: 60 },
  storage_read_only: { status: 503, hasCode: true, retryAfterSeconds: 60 },
  storage_damaged: { status: 503, hasCode: true, retryAfterSeconds: 60 },
  invalid_admin_token: null,
};

/** The codes that a reply may have. */
export const codesOfReplies: readonly string[] = Object.entries(errorRules)
  .filter(([, rule]) => rule !== null)
  .map(([code]) => code);

/** Requests that fastify refuses before routing. */
const frameworkErrors: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('not_json', {}),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('invalid_request', {
    what: 'The body is not as long as its Content-Length says.',
  }),
  FST_ERR_BAD_URL: new AppError('invalid_request', { what: 'The path is not a valid URL path.' }),
  FST_ERR_MAX_PARAM_LENGTH: new AppError('invalid_request', { what: 'The path is too long.' }),
};

/** The page for people where there is nothing; `undefined` = there is none. */
export type PageOfNothing = () => Promise<
  { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> } | undefined
>;

const none: PageOfNothing = () => Promise.resolve(undefined);

/** Whether a person opened this address in a browser: programs ask for the API. */
const isOfPerson = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !/^\/(api|web|console)(\/|$)/.test(url) &&
  headers.accept?.includes('text/html') === true;

/** What answers to failures need. */
export interface ErrorReplyParts {
  readonly log: Log;
  readonly held: HeldRefusals;
  readonly pageOfNothing?: PageOfNothing | undefined;
}

/** Answers every failure of every route. */
export function replyToErrors(app: HttpApp, parts: ErrorReplyParts): void {
  const { log, held, pageOfNothing = none } = parts;
  const pageFor = async (request: FastifyRequest) =>
    isOfPerson(request) ? await pageOfNothing() : undefined;
  const isHeld = async (error: unknown, { viewer }: FastifyRequest, { raw }: FastifyReply) =>
    viewer === null || !isTooOften(error) || (await held.hold(viewer.userId, raw));
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') await discardExcess(request.raw);
    const { code } = error as { readonly code: string };
    // An address that no route takes, such as `/lists/`: the app shows what it has of it.
    const page = code === 'invalid_request' ? await pageFor(request) : undefined;
    if (page !== undefined) return reply.code(404).headers(page.headers).send(page.bytes);
    if (!(await isHeld(error, request, reply))) void reply.header('connection', 'close');
    return sendError(error, request, reply, log);
  });
  app.addHook('preClose', async () => held.end());
  app.setNotFoundHandler(async (request, reply) => {
    const page = await pageFor(request);
    if (page !== undefined) return reply.code(404).headers(page.headers).send(page.bytes);
    const path = request.url.split('?', 1)[0] ?? '';
    throw new AppError('not_found', { what: `${request.method} ${path.slice(0, 200)}` });
  });
}

const isTooOften = (error: unknown): boolean =>
  error instanceof AppError && errorRules[(error as AppError).code]?.isTooOften === true;

/** Answers one request with its failure. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const known = expected(error, request);
  const rule = known && errorRules[known.code];
  if (!known || !rule) return sendBug(error, request, reply, log);
  // The client learns that something is unavailable; the cause is for the operator.
  if (rule.status >= 500 && known.cause !== undefined)
    log.warn({ ...asked(request), code: known.code, err: known.cause }, known.message);
  const retryAfter = secondsIn(known) ?? rule.retryAfterSeconds;
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
  if (rule.status === 401) void reply.header('www-authenticate', 'Bearer');
  if (isStillArriving(request)) void reply.header('connection', 'close');
  if (rule.status === 426) void reply.header('upgrade', 'websocket');
  return reply.code(rule.status).send(bodyOf(known, rule, request));
}

/**
 * A request that is refused before its body has arrived closes its connection: otherwise the rest
 * of the body would be read and discarded.
 */
const isStillArriving = ({ raw }: FastifyRequest): boolean =>
  !raw.complete &&
  (raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0);

function bodyOf(known: AppError | KernelError, rule: ErrorRule, request: FastifyRequest): object {
  const { code, message } = known;
  const isNamed = rule.isForApps === true || request.routeOptions.config?.isForApps === true;
  if (isNamed)
    return { error: words[rule.status] ?? 'unavailable', code, message, ...timeIn(known) };
  const isWhole = request.routeOptions.config?.failsWithCode === true;
  return {
    error: message,
    ...((rule.hasCode || isWhole) && { code }),
    ...((rule.hasMessage || isWhole) && { message }),
    ...countsIn(known),
    ...reasonsIn(known),
    ...roleIn(known),
  };
}

/** The word for a status, for apps of identities. */
const words: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'bad_request',
  415: 'bad_request',
  429: 'rate_limited',
};

/** The server's clock, when the app's clock is off. */
const timeIn = (error: AppError | KernelError) =>
  error instanceof AppError && 'serverTime' in error.fields
    ? { serverTime: Number(error.fields.serverTime) }
    : {};

/** How long to wait, if the error says so. */
const secondsIn = (error: AppError | KernelError): string | undefined =>
  error instanceof AppError && 'seconds' in error.fields ? error.fields.seconds : undefined;

/** The current and the allowed number, if a license limits it. */
const countsIn = (error: AppError | KernelError) =>
  error instanceof AppError && 'max' in error.fields
    ? { current: Number(error.fields.current), max: Number(error.fields.max) }
    : {};

/** The codes of what keeps a player from playing a file. */
const reasonsIn = (error: AppError | KernelError) =>
  error instanceof AppError && 'reasons' in error.fields
    ? { reasons: error.fields.reasons.split(' ') }
    : {};

/** The role that needed the place of a session. */
const roleIn = (error: AppError | KernelError) =>
  error instanceof AppError && 'by' in error.fields ? { by: error.fields.by } : {};

/** Faults of the disk that a file is written to, by the codes of the system. */
const diskFaults: Readonly<Record<string, readonly [KernelErrorCode, string]>> = {
  EROFS: ['storage_read_only', 'The disk of the server is read-only: mount it for writing.'],
  ENOSPC: ['storage_full', 'The disk of the server is full: make room on it.'],
  EDQUOT: ['storage_full', 'The disk of the server is full for its user: make room on it.'],
};

function diskFault(error: unknown): KernelError | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  const [code, message] = diskFaults[String(error.code)] ?? [];
  return code && new KernelError(code, message ?? '', { cause: error });
}

function expected(error: unknown, request: FastifyRequest): AppError | KernelError | undefined {
  if (error instanceof AppError || error instanceof KernelError) return error;
  const ofDisk = diskFault(error);
  if (ofDisk !== undefined) return ofDisk;
  if (!(error instanceof Error && 'code' in error && 'statusCode' in error)) return undefined;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(request);
  const known = frameworkErrors[String(error.code)];
  const isRefusal = Number(error.statusCode) >= 400 && Number(error.statusCode) < 500;
  return (
    known ?? (isRefusal ? new AppError('invalid_request', { what: error.message }) : undefined)
  );
}

/** Names the limit of the route; all but a few have that of the app. */
function bodyTooLarge({ routeOptions, server }: FastifyRequest): AppError {
  const bytes = routeOptions.bodyLimit ?? server.initialConfig.bodyLimit ?? 0;
  const mib = Math.floor((bytes / (1024 * 1024)) * 10) / 10;
  return new AppError('too_large', { what: `The body is above ${mib} MiB.` });
}

function sendBug(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  log.error({ ...asked(request), err: error }, 'A request failed.');
  return reply.code(500).send({ error: `internal error (request ${request.id})` });
}

/** A request as the log names it. */
const asked = ({ id: requestId, method, routeOptions: { url: route } }: FastifyRequest) => ({
  requestId,
  method,
  route,
});
