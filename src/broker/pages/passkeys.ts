/**
 * Passkeys in this browser. What a passkey's PRF gives opens the vault, so it is taken out here and
 * handed on as a secret; what may be posted is stripped of it first.
 */
import { strip } from '../signing/strip.ts';
import { passkeySecret, prfInput, type VaultSecret } from '../signing/vault-secret.ts';
import type { CreationOptionsJson, CredentialJson, RequestOptionsJson } from '../web-api.ts';
import { Refusal } from './api.ts';

/** A passkey that was used or made. */
export interface Touched {
  readonly credentialId: string;
  /** For the broker, without what the PRF gave. */
  readonly credential: CredentialJson;
  /** `null` = this passkey gives none. */
  readonly secret: VaultSecret | null;
}

/** Asks for a passkey and, in the same gesture, for its secret. */
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
 * Makes a passkey, and asks it for its secret a second time. A device that gives another one then, or
 * none, would lock its owner out: such a passkey signs in, and a passphrase opens the vault.
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

/** Asks this one passkey for its secret, and tells nobody; `null` = it gave none. */
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

/** Old browsers, and pages over plain http, have none. */
function assertPasskeys(): void {
  if (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  )
    return;
  throw new Refusal(
    'no_passkeys',
    'This browser has no passkeys, or the page did not come over https. Use a newer browser.',
  );
}
