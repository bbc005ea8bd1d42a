/** Passkeys of this browser. */
import { call, Refusal } from '../core/api.ts';

/** Passkeys need a host name; an IP address is not one. */
export const isAtHostName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether this browser can make passkeys here. */
export const canMakePasskeys = (): boolean =>
  isAtHostName() &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';

/** Makes a passkey for the person, who enters the password again if there is one. */
export async function makePasskey(name: string, password: string): Promise<void> {
  const body = password === '' ? {} : { password };
  const { options } = await call('post', '/api/auth/passkeys/options', { body });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential))
    throw new Refusal(0, '', { code: 'no_passkey' });
  const passkey = { ...credential.toJSON() };
  await call('post', '/api/auth/passkeys', { body: { name, passkey } });
}
