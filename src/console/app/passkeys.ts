import { post } from './api.ts';

interface Question<Options> {
  readonly challengeId: string;
  readonly options: Options;
}

/** Whether this browser has them, in the form that this page speaks. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Signs in with a passkey of this server. */
export async function askPasskey(body: object = {}): Promise<void> {
  const asked = await post<Question<PublicKeyCredentialRequestOptionsJSON>>(
    '/api/auth/passkeys/login/begin',
    body,
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.options);
  const credential = await navigator.credentials.get({ publicKey });
  await post('/api/auth/passkeys/login/complete', { ...answerOf(asked, credential), cookie: true });
}

/** Makes a passkey for whoever is signed in. */
export async function makePasskey(name: string): Promise<void> {
  const asked = await post<Question<PublicKeyCredentialCreationOptionsJSON>>(
    '/api/auth/passkeys/begin',
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked.options);
  const credential = await navigator.credentials.create({ publicKey });
  await post('/api/auth/passkeys/complete', { ...answerOf(asked, credential), name });
}

function answerOf({ challengeId }: Question<unknown>, credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential))
    throw new DOMException('No passkey was chosen.', 'NotAllowedError');
  return { challengeId, credential: credential.toJSON() as unknown };
}
