/** Passkeys of this browser. */
import { call, Refusal } from './api.ts';

/** Passkeys need a host name; an IP address is not one. */
export const isAtHostName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether this browser can make passkeys here. */
export const canMakePasskeys = (): boolean =>
  isAtHostName() &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';

/** Whether this browser can sign in with a passkey here. */
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
 * Asks the browser for a passkey of this server. With `conditional` it is offered in the list of the field
 * for the name, until `signal` ends that.
 */
export async function askPasskey(
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<Record<string, unknown>> {
  const { options } = await call('post', '/api/auth/login/passkey/options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(navigator.credentials.get({ ...how, publicKey }), 'passkey_not_chosen');
}

/** What the browser gave, as the server takes it. */
async function toJson(
  asked: Promise<Credential | null>,
  refusal: string,
): Promise<Record<string, unknown>> {
  const credential = await asked.catch(() => null);
  if (credential instanceof PublicKeyCredential) return { ...credential.toJSON() };
  throw new Refusal(0, '', { code: refusal });
}

/** Makes a passkey for the person, who enters the password again if there is one. */
export async function makePasskey(name: string, password: string): Promise<void> {
  const body = password === '' ? {} : { password };
  const { options } = await call('post', '/api/auth/passkeys/options', { body });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const passkey = await toJson(navigator.credentials.create({ publicKey }), 'no_passkey');
  await call('post', '/api/auth/passkeys', { body: { name, passkey } });
}
