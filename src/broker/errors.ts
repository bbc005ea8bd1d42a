/** What the broker refuses, in the words of the wire: code, status, and a sentence for people. */
const refusals = {
  invalid_request: [400, 'The request is not what this address takes.'],
  invalid_key: [400, 'clientPubKey is no usable Ed25519 public key in 64 lower-case hex digits.'],
  unknown_app: [400, 'There is no app of this id.'],
  callback_not_registered: [400, 'callbackUrl is none of those that the app has registered.'],
  callback_invalid: [
    400,
    'A callback is an https address or a scheme with a dot, spelled exactly.',
  ],
  cert_malformed: [400, 'currentCert is no identity pass.'],
  client_mismatch: [400, 'The pass is that of another client than the address names.'],
  cert_mismatch: [400, 'A pass does not say what was asked for, or another key has signed it.'],
  servers_mismatch: [400, 'A signed list or a revocation does not fit the linked servers.'],
  record_invalid: [400, 'A record is not well formed, not of now, or not signed by your key.'],
  vault_invalid: [400, 'The vault is not well formed, or your key has not signed it.'],
  bad_signature: [400, 'The signature is not by the key that the request names.'],
  base_url_invalid: [400, 'baseUrl must be https, or http at home, without a slash at its end.'],
  renew_bad_signature: [401, 'The signature is not by the client key.'],
  cert_bad_signature: [401, 'The pass is not signed by the key of its user for this client.'],
  cert_expired: [401, 'The pass is over; pair again.'],
  clock_skew: [401, 'ts is more than five minutes from the time here.'],
  signed_out: [401, 'Nobody is signed in.'],
  assertion_required: [401, 'This needs the passkey again: it was used more than 5 minutes ago.'],
  assertion_invalid: [401, 'The passkey did not prove what it should.'],
  approve_mismatch: [401, 'The passkey approved something else than this.'],
  recovery_refused: [401, 'The name or the recovery code is not right.'],
  bad_origin: [403, 'Only a page of this broker may ask for this.'],
  app_disabled: [403, 'The operator has switched this app off.'],
  recovery_unfinished: [403, 'After a recovery code, nothing works before there is a new passkey.'],
  revoked: [403, 'This device was revoked.'],
  not_found: [404, 'There is no such thing here.'],
  code_unknown: [404, 'No device shows this code now.'],
  unknown_client: [404, 'There is no such client.'],
  handle_taken: [409, 'Somebody has this name already.'],
  passkey_taken: [409, 'This passkey is known here already.'],
  vault_conflict: [409, 'The vault was changed elsewhere; load it again.'],
  last_passkey: [409, 'The last passkey stays.'],
  client_key_revoked: [409, 'The key of this device was revoked; it needs a new one.'],
  grant_mismatch: [409, 'The grant does not say what the server asked for.'],
  key_mismatch: [409, 'Your key has changed meanwhile, or the new one cannot be taken.'],
  replayed: [409, 'This request was sent before.'],
  renewal_too_early: [409, 'A pass is renewed from its thirtieth day on.'],
  app_id_taken: [409, 'This id is taken, or reserved.'],
  too_many: [409, 'There are as many of these as there may be.'],
  domain_unproven: [409, 'The domain does not name this app.'],
  pairing_gone: [410, 'This request is over.'],
  link_gone: [410, 'This request is over.'],
  too_large: [413, 'The request is too large.'],
  not_json: [415, 'The body must be application/json.'],
  rate_limited: [429, 'Too many requests; try later.'],
  slow_down: [429, 'Ask again in 5 seconds, and never faster than every 2.'],
  internal: [500, 'The broker failed; its log says why.'],
} as const satisfies Readonly<Record<string, readonly [status: number, sentence: string]>>;

/** A key of the catalogue. On the wire, `renew_bad_signature` is `bad_signature` with 401. */
export type RefusalCode = keyof typeof refusals;

/** All codes, for whoever documents them. */
export const brokerErrors: Readonly<Record<RefusalCode, readonly [number, string]>> = refusals;

/** Further keys of the body, and when to try again. */
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
    super(details.message ?? refusals[code][1]);
    this.code = code;
    this.details = details;
  }
}

/** Status and body of a refusal. */
export function wireOf({ code, message, details }: Refusal): {
  readonly status: number;
  readonly body: Readonly<Record<string, string | number>>;
} {
  const error = code === 'renew_bad_signature' ? 'bad_signature' : code;
  return { status: refusals[code][0], body: { error, message, ...details.fields } };
}
