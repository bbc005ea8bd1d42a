import { post } from './api.ts';
import { t } from './words.ts';

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

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException(t('error.no_passkey'), 'NotAllowedError');
}
