/** Options for the browser, in the JSON form that `parseCreationOptionsFromJSON` reads. */
import type { StoredPasskey } from './account.ts';
import { timeoutOf, type ChallengePurpose } from './challenges.ts';
import { signatureAlgorithms } from './passkey-check.ts';
import type { Site } from '../service/site.ts';
import type { CreationOptionsJson, RequestOptionsJson } from '../service/web-api.ts';

/** The input of the options. */
export interface Asked {
  readonly site: Site;
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  /** Existing passkeys: excluded when one is created, allowed when one is used. */
  readonly passkeys: readonly Pick<StoredPasskey, 'id'>[];
}

const listed = ({ id }: Pick<StoredPasskey, 'id'>) => ({ type: 'public-key', id }) as const;

/** Requests a discoverable passkey that verifies its user by PIN, fingerprint or face. */
export const creationOptions = (
  { site, challenge, purpose, passkeys }: Asked,
  user: { readonly userId: string; readonly handle: string },
): CreationOptionsJson => ({
  challenge,
  rp: { id: site.rpId, name: 'Vitrine' },
  user: { id: user.userId, name: user.handle, displayName: user.handle },
  pubKeyCredParams: signatureAlgorithms.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: passkeys.map(listed),
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
  timeout: timeoutOf(purpose),
});

/** Requests one of the listed passkeys, or any passkey of this broker when none is listed. */
export const requestOptions = ({
  site,
  challenge,
  purpose,
  passkeys,
}: Asked): RequestOptionsJson => ({
  challenge,
  rpId: site.rpId,
  allowCredentials: passkeys.map(listed),
  userVerification: 'required',
  timeout: timeoutOf(purpose),
});
