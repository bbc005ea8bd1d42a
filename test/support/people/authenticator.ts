/**
 * An authenticator in software: real keys, real signatures, and every lie that a test wants it to
 * tell. It makes what `toJSON()` of a browser's `PublicKeyCredential` gives.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
  CreationOptions,
  RequestOptions,
} from '../../../src/people/accounts/passkeys/browser-options.ts';

/** How an authenticator behaves; each has its honest value. */
export interface Behaviour {
  readonly origin?: string;
  readonly rpId?: string;
  readonly crossOrigin?: boolean;
  readonly isUserPresent?: boolean;
  readonly isUserVerified?: boolean;
  /** What it says how often it has signed. */
  readonly counter?: number;
  readonly challenge?: string;
  readonly userHandle?: string | null;
  /** Whose private key signs. */
  readonly signer?: KeyObject;
  readonly type?: string;
  /** An id that is somebody's already, base64url. */
  readonly credentialId?: string;
  /** A format of attestation that brings a certificate. */
  readonly attestation?: string;
}

export interface SoftPasskey {
  readonly id: string;
  /** What was made of the options of `beginAdding`. */
  readonly registration: object;
  /** Signs a challenge of `beginSignIn`. */
  readonly sign: (
    options: Pick<RequestOptions, 'challenge' | 'rpId'>,
    behaviour?: Behaviour,
  ) => object;
}

/** The kinds of key that the server takes. */
export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Not one that anybody would believe; nobody should look. */
const certificate = new Map<CborKey, CborValue>([
  ['alg', -7],
  ['sig', new Uint8Array(64)],
  ['x5c', [new Uint8Array(200)]],
]);

/** Makes a passkey, as a browser at the server's own address would. */
export function makePasskey(
  options: Pick<CreationOptions, 'challenge' | 'rp' | 'user'>,
  origin: string,
  { algorithm = 'ES256', ...behaviour }: Behaviour & { readonly algorithm?: Algorithm } = {},
): SoftPasskey {
  const { privateKey, publicKey, cose } = keyPair(algorithm);
  const { credentialId: wanted } = behaviour;
  const credentialId = wanted === undefined ? randomBytes(32) : Buffer.from(wanted, 'base64url');
  const id = base64url(credentialId);
  let signed = behaviour.counter ?? 0;
  const honest = { origin, rpId: options.rp.id, challenge: options.challenge, counter: signed };
  const length = Buffer.from([0, credentialId.length]);
  const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cose(publicKey)]);
  const authData = Buffer.concat([authenticatorData({ ...honest, ...behaviour }, 0x40), attested]);
  const attestationObject = cbor(
    new Map<string, CborValue>([
      ['fmt', behaviour.attestation ?? 'none'],
      ['attStmt', behaviour.attestation === undefined ? new Map() : certificate],
      ['authData', authData],
    ]),
  );
  const registration = {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData({ type: 'webauthn.create', ...honest, ...behaviour }),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    },
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  };

  function assert(
    request: Pick<RequestOptions, 'challenge' | 'rpId'>,
    lies: Behaviour = {},
  ): object {
    signed += 1;
    const claims = {
      origin,
      rpId: request.rpId,
      challenge: request.challenge,
      counter: signed,
      ...lies,
    };
    const clientDataJSON = clientData({ type: 'webauthn.get', ...claims });
    const data = authenticatorData(claims, 0);
    const message = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const digest = algorithm === 'EdDSA' ? null : 'sha256';
    const { userHandle = options.user.id } = lies;
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(sign(digest, message, lies.signer ?? privateKey)),
        ...(userHandle !== null && { userHandle }),
      },
      clientExtensionResults: {},
    };
  }

  return { id, registration, sign: assert };
}

function clientData(claims: Behaviour): string {
  const { type, challenge, origin, crossOrigin = false } = claims;
  return base64url(JSON.stringify({ type, challenge, origin, crossOrigin }));
}

/** WebAuthn, section 6.1: the hash of the RP id, flags, counter. */
function authenticatorData(claims: Behaviour, flags: number): Buffer {
  const { rpId = '', isUserPresent = true, isUserVerified = true, counter = 0 } = claims;
  const bits = (isUserPresent ? 0x01 : 0) | (isUserVerified ? 0x04 : 0) | flags;
  const rest = Buffer.alloc(5);
  rest.writeUInt8(bits, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), rest]);
}

/** A pair of keys, and how the public one is spelled in COSE (RFC 9053). */
function keyPair(algorithm: Algorithm) {
  const part = (key: KeyObject, name: 'x' | 'y' | 'n' | 'e'): Buffer =>
    Buffer.from(String(key.export({ format: 'jwk' })[name]), 'base64url');
  const cose = (entries: readonly (readonly [number, CborValue])[]): Buffer =>
    cbor(new Map<CborKey, CborValue>(entries));
  switch (algorithm) {
    case 'ES256':
      return {
        ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
        cose: (key: KeyObject) =>
          cose([
            [1, 2],
            [3, -7],
            [-1, 1],
            [-2, part(key, 'x')],
            [-3, part(key, 'y')],
          ]),
      };
    case 'EdDSA':
      return {
        ...generateKeyPairSync('ed25519'),
        cose: (key: KeyObject) =>
          cose([
            [1, 1],
            [3, -8],
            [-1, 6],
            [-2, part(key, 'x')],
          ]),
      };
    case 'RS256':
      return {
        ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
        cose: (key: KeyObject) =>
          cose([
            [1, 3],
            [3, -257],
            [-1, part(key, 'n')],
            [-2, part(key, 'e')],
          ]),
      };
  }
}

type CborKey = string | number;
type CborValue =
  | string
  | number
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<CborKey, CborValue>;

/** As much of CBOR (RFC 8949) as authenticators write. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') {
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  if (!(value instanceof Map)) {
    const items = value as readonly CborValue[];
    return Buffer.concat([cborHead(4, items.length), ...items.map(cbor)]);
  }
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)]);
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

function cborHead(major: number, length: number): Buffer {
  const first = major << 5;
  if (length < 24) return Buffer.from([first | length]);
  if (length < 0x100) return Buffer.from([first | 24, length]);
  return Buffer.from([first | 25, length >> 8, length & 0xff]);
}
