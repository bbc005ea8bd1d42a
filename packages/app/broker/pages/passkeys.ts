/**
 * Passkeys in this browser. PRF output opens the vault, so it is extracted here and returned as a
 * secret; the JSON for the broker is stripped of it first.
 */
import { strip } from '../signing/strip.ts';
import { passkeySecret, prfInput, type VaultSecret } from '../signing/vault-secret.ts';
import type {
  CreationOptionsJson,
  CredentialJson,
  RequestOptionsJson,
} from '../service/web-api.ts';
import { Refusal } from './api.ts';

/** A passkey that was used or created. */
export interface Touched {
  readonly credentialId: string;
  /** For the broker, without PRF output. */
  readonly credential: CredentialJson;
  /** `null` = this passkey has no PRF. */
  readonly secret: VaultSecret | null;
}

/** Asks for a passkey, and for its secret in the same step. */
export async function usePasskey(options: RequestOptionsJson): Promise<Touched> {
  assertPasskeys();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    ...options,
    allowCredentials: [...options.allowCredentials],
    userVerification: 'required',
  });
  return touchedOf(await navigator.credentials.get({ publicKey: await withPrf(publicKey) }));
}

/**
 * Creates a passkey, and requests its secret a second time. If the second secret differs or is
 * missing, it would lock the user out: such a passkey only signs in, and a passphrase opens the
 * vault.
 */
export async function makePasskey(options: CreationOptionsJson): Promise<Touched> {
  assertPasskeys();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    ...options,
    pubKeyCredParams: [...options.pubKeyCredParams],
    excludeCredentials: [...options.excludeCredentials],
  });
  const credential = await navigator.credentials.create({ publicKey: await withPrf(publicKey) });
  const made = touchedOf(credential);
  const isEnabled = credential instanceof PublicKeyCredential && hasPrf(credential);
  return { ...made, secret: isEnabled ? await confirmedSecret(options.rp.id, made) : null };
}

const hasPrf = (credential: PublicKeyCredential): boolean =>
  credential.getClientExtensionResults().prf?.enabled === true;

/** Requests the secret of this passkey, without contacting the broker; `null` = it has none. */
export async function secretOf(rpId: string, credentialId: string): Promise<VaultSecret | null> {
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  const { secret } = await usePasskey({
    challenge: base64url(challenge),
    rpId,
    allowCredentials: [{ id: credentialId, type: 'public-key' }],
    userVerification: 'required',
    timeout: 120_000,
  });
  return secret;
}

async function confirmedSecret(rpId: string, made: Touched): Promise<VaultSecret | null> {
  const { credentialId } = made;
  const again = await secretOf(rpId, credentialId).catch(() => null);
  const [first, second] = [made.secret?.ikm, again?.ikm];
  if (second === undefined) return null;
  const isSame = first === undefined || first.every((byte, index) => byte === second[index]);
  return isSame ? passkeySecret(credentialId, second) : null;
}

async function withPrf<Options extends object>(
  options: Options,
): Promise<Options & { readonly extensions: AuthenticationExtensionsClientInputs }> {
  return { ...options, extensions: { prf: { eval: { first: await prfInput() } } } };
}

function touchedOf(credential: Credential | null): Touched {
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('No passkey was chosen.', 'NotAllowedError');
  const first = credential.getClientExtensionResults().prf?.results?.first;
  return {
    credentialId: credential.id,
    credential: strip(credential.toJSON()),
    secret: first === undefined ? null : passkeySecret(credential.id, bytesOf(first)),
  };
}

const bytesOf = (source: BufferSource): Uint8Array<ArrayBuffer> =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source.slice(0))
    : Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Old browsers, and pages over plain http, do not support passkeys. */
function assertPasskeys(): void {
  if (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  )
    return;
  throw new Refusal(
    'no_passkeys',
    'This browser does not support passkeys, or the page was not loaded over https. Use a newer browser.',
  );
}
