/** The refusals of the broker: code on the wire, status, and a message. */
const refusals = {
  invalid_request: [400, 'The request does not match the schema of this route.'],
  invalid_key: [
    400,
    'clientPubKey must be a valid Ed25519 public key in 64 lower-case hex digits.',
  ],
  unknown_app: [400, 'There is no app with this id.'],
  callback_not_registered: [400, 'callbackUrl is not registered for this app.'],
  callback_invalid: [
    400,
    'A callback must be an https address or a scheme with a dot, in its normal spelling.',
  ],
  cert_malformed: [400, 'currentCert is not a valid identity pass.'],
  client_mismatch: [400, 'The pass belongs to a client other than the one in the path.'],
  cert_mismatch: [400, 'A pass does not match the request, or is signed with another key.'],
  servers_mismatch: [400, 'A signed list or a revocation does not match the linked servers.'],
  record_invalid: [400, 'A record is malformed, too old, or not signed with your key.'],
  vault_invalid: [400, 'The vault is malformed, or not signed with your key.'],
  bad_signature: [400, 'The signature does not match the key that the request names.'],
  base_url_invalid: [
    400,
    'baseUrl must be https, or http on a home network, without a trailing slash.',
  ],
  renew_bad_signature: [401, 'The signature does not match the client key.'],
  cert_bad_signature: [401, 'The pass is not signed with the key of its user for this client.'],
  cert_expired: [401, 'The pass has expired; pair again.'],
  clock_skew: [401, 'ts differs from the time of the broker by more than five minutes.'],
  signed_out: [401, 'You are not signed in.'],
  assertion_required: [401, 'Use your passkey again: its last use was more than 5 minutes ago.'],
  assertion_invalid: [401, 'The passkey response is not valid.'],
  approve_mismatch: [401, 'The passkey approved a different request.'],
  recovery_refused: [401, 'The name or the recovery code is not right.'],
  bad_origin: [403, 'Only a page of this broker may send this request.'],
  app_disabled: [403, 'The operator has switched this app off.'],
  recovery_unfinished: [403, 'After signing in with a recovery code, add a new passkey first.'],
  revoked: [403, 'This device was revoked.'],
  not_found: [404, 'Not found.'],
  code_unknown: [404, 'No device shows this code at present.'],
  unknown_client: [404, 'There is no such client.'],
  handle_taken: [409, 'This name is taken.'],
  passkey_taken: [409, 'This passkey is registered already.'],
  vault_conflict: [409, 'The vault was changed elsewhere; load it again.'],
  last_passkey: [409, 'The last passkey cannot be removed.'],
  client_key_revoked: [409, 'The key of this device was revoked; it needs a new one.'],
  grant_mismatch: [409, 'The grant does not match the request of the server.'],
  key_mismatch: [409, 'Your key has changed meanwhile, or the new one is not acceptable.'],
  replayed: [409, 'This request was sent before.'],
  renewal_too_early: [409, 'A pass can be renewed from its thirtieth day on.'],
  app_id_taken: [409, 'This id is taken, or reserved.'],
  too_many: [409, 'The maximum number is reached.'],
  domain_unproven: [409, 'The domain does not name this app.'],
  pairing_gone: [410, 'This request has ended.'],
  link_gone: [410, 'This request has ended.'],
  too_large: [413, 'The request is too large.'],
  not_json: [415, 'The body must be application/json.'],
  rate_limited: [429, 'Too many requests. Wait as long as Retry-After says, then try again.'],
  slow_down: [429, 'Poll again in 5 seconds, and at most every 2 seconds.'],
  internal: [500, 'The broker failed; the reason is in its log.'],
} as const satisfies Readonly<Record<string, readonly [status: number, sentence: string]>>;

/** A key of the catalogue. On the wire, `renew_bad_signature` is `bad_signature` with 401. */
export type RefusalCode = keyof typeof refusals;

/** All codes, for the docs and their test. */
export const brokerErrors: Readonly<Record<RefusalCode, readonly [number, string]>> = refusals;

/** Further fields of the body, and the time until a retry. */
export interface RefusalDetails {
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  readonly fields?: Readonly<Record<string, number | string>>;
}

/** A request that is refused. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.message ?? sentenceOf(code, details));
    this.code = code;
    this.details = details;
  }
}

function sentenceOf(code: RefusalCode, { retryAfterSeconds }: RefusalDetails): string {
  const hasTime = code === 'rate_limited' && retryAfterSeconds !== undefined;
  return hasTime
    ? `Too many requests. Wait ${retryAfterSeconds} s, then try again.`
    : refusals[code][1];
}

/** Status and body of a refusal. */
export function wireOf({ code, message, details }: Refusal): {
  readonly status: number;
  readonly body: Readonly<Record<string, string | number>>;
} {
  const error = code === 'renew_bad_signature' ? 'bad_signature' : code;
  return { status: refusals[code][0], body: { error, message, ...details.fields } };
}
