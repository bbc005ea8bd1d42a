/** A user with an identity key, who signs what the broker's page would sign. */
import {
  fromHex32,
  publicKeyOf,
  sealSigned,
  signWith,
  toBase64url,
  bytesToSign,
  type PassClaims,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';

export interface ListedServer {
  readonly serverId: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly linkedAt: number;
}

/** Somebody with an identity. */
export interface Person {
  readonly userId: string;
  readonly userPubKey: string;
  readonly sign: (value: Readonly<Record<string, unknown>>) => Promise<SignedObject>;
  readonly pass: (claims: Partial<PassClaims> & NeededClaims) => Promise<SignedObject>;
  readonly list: (list: ListToSign) => Promise<SignedObject>;
  /** The record that this person's key is followed by another one. */
  readonly rotateTo: (next: Person, iat: number) => Promise<SignedObject & { newSig: string }>;
  readonly signature: (value: Readonly<Record<string, unknown>>) => Promise<string>;
}

type NeededClaims = Pick<PassClaims, 'appId' | 'clientId' | 'clientPubKey' | 'iat'>;

interface ListToSign {
  readonly clientId: string;
  readonly iat: number;
  readonly servers: readonly ListedServer[];
}

const day = 86_400;

/** A person whose key is this digit, 64 times. */
export async function createPerson(digit: string, userId = 'u_ada'): Promise<Person> {
  const seed = fromHex32(digit.repeat(64));
  const userPubKey = await publicKeyOf(seed);
  const sign: Person['sign'] = (value) => sealSigned(value, (bytes) => signWith(seed, bytes));
  const signature: Person['signature'] = async (value) =>
    toBase64url(await signWith(seed, bytesToSign(value)));
  return {
    userId,
    userPubKey,
    sign,
    signature,
    pass: (claims) =>
      sign({
        deviceName: 'Kitchen',
        exp: claims.iat + 60 * day,
        scope: ['servers:*'],
        userId,
        userPubKey,
        v: 1,
        ...claims,
      }),
    list: ({ clientId, iat, servers }) =>
      sign({ kind: 'server-list', v: 1, clientId, iat, userPubKey, servers }),
    rotateTo: async (next, iat) => {
      const record = {
        kind: 'key-rotation',
        v: 1,
        iat,
        userId,
        userPubKey,
        newPubKey: next.userPubKey,
      };
      return { ...(await sign(record)), newSig: await next.signature(record) };
    },
  };
}
