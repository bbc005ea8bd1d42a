/** Options for the browser, in the JSON form that `parseCreationOptionsFromJSON` reads. */
import type { StoredPasskey } from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';
import type { User } from '../../../contract/resources/accounts/accounts.ts';

/** EdDSA, ES256, RS256, in order of preference. */
export const signatureAlgorithms = [-8, -7, -257] as const;

/** For `navigator.credentials.create({publicKey})`. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[];
  readonly timeout: number;
  readonly excludeCredentials: readonly {
    readonly type: 'public-key';
    readonly id: string;
    readonly transports: readonly string[];
  }[];
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly requireResidentKey: true;
    readonly userVerification: 'required';
  };
  readonly attestation: 'none';
}

/** For `navigator.credentials.get({publicKey})`. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
  readonly userVerification: 'required';
}

interface Asked {
  readonly rp: RelyingParty;
  readonly challenge: string;
  readonly timeoutMs: number;
}

/** Requests a discoverable passkey that verifies its user by PIN, fingerprint or face. */
export function creationOptions(
  asked: Asked & { readonly user: User; readonly known: readonly StoredPasskey[] },
): CreationOptions {
  const { rp, user, known, challenge, timeoutMs } = asked;
  return {
    challenge,
    rp: { id: rp.id, name: 'Vitrine' },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.name,
      displayName: user.name,
    },
    pubKeyCredParams: signatureAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: timeoutMs,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** Allows any passkey that the browser has for this server. */
export const requestOptions = ({ rp, challenge, timeoutMs }: Asked): RequestOptions => ({
  challenge,
  rpId: rp.id,
  timeout: timeoutMs,
  userVerification: 'required',
});
