import { post } from './api.ts';

/** Passkeys need a host name; an IP address is not one. */
export const isAtHostName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether this browser supports passkeys with the JSON functions that this page uses. */
export const canUsePasskeys = (): boolean =>
  isAtHostName() &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Whether the browser offers passkeys in the list of a field for names. */
export const canOfferPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() &&
  typeof PublicKeyCredential.isConditionalMediationAvailable === 'function' &&
  PublicKeyCredential.isConditionalMediationAvailable();

/**
 * Asks the browser for a passkey of this server; returns its reply as JSON. With `conditional` it
 * is offered in the list of the field for the name, until `signal` ends that.
 */
export async function askPasskey(
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<unknown> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    '/api/auth/login/passkey/options',
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(await navigator.credentials.get({ ...how, publicKey }));
}

/** Creates a passkey for the signed-in user, who must enter the password again if there is one. */
export async function makePasskey(name: string, password: string): Promise<void> {
  const { options } = await post<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    '/api/auth/passkeys/options',
    password === '' ? {} : { password },
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const passkey = toJson(await navigator.credentials.create({ publicKey }));
  await post('/api/auth/passkeys', { name, passkey });
}

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException('No passkey was chosen.', 'NotAllowedError');
}
