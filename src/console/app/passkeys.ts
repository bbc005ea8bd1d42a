import { post } from './api.ts';

/** A passkey belongs to a host name; an address of numbers is none. */
export const isAtHostName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether this browser has them, in the form that this page speaks. */
export const canUsePasskeys = (): boolean =>
  isAtHostName() &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Asks the browser for a passkey of this server; gives its answer as JSON. */
export async function askPasskey(): Promise<unknown> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    '/api/auth/login/passkey/options',
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** Makes a passkey for whoever is signed in, who tells the password once more if there is one. */
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
