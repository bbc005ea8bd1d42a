/** An app on one device, as somebody writes it who has the interface specification and nothing else. */
import { randomBytes } from 'node:crypto';
import {
  bytesToSign,
  publicKeyOf,
  signWith,
  toBase64url,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';
import { ask, textOf, type Answer } from './ask.ts';
import type { MovingClock } from './moving-clock.ts';

/** Where a server is, as far as a sign-in needs it. */
export type Address = Pick<ServerAddress, 'url' | 'serverId'>;

interface ServerAddress {
  readonly url: string;
  readonly serverId: string;
}

/** What a test changes of a request. */
export interface CompleteChanges {
  readonly cert?: unknown;
  readonly serverId?: string;
  readonly challenge?: string;
  readonly ts?: number;
  readonly sig?: string;
  /** Who signs; the device itself, unless another is named. */
  readonly signer?: Device;
  /** What is signed in place of what is sent. */
  readonly signed?: Readonly<Record<string, unknown>>;
}

/** An app with a key of its own. */
export interface Device {
  readonly publicKey: string;
  readonly sign: (value: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly pairBegin: (changes?: Readonly<Record<string, unknown>>) => Promise<Answer>;
  readonly poll: (requestId: string) => Promise<Answer>;
  readonly renew: (
    cert: SignedObject,
    changes?: Readonly<Record<string, unknown>>,
  ) => Promise<Answer>;
  readonly begin: (server: Address, cert: unknown) => Promise<Answer>;
  readonly complete: (
    server: Address,
    cert: SignedObject,
    changes?: CompleteChanges,
  ) => Promise<Answer>;
  /** Begin and complete, without an attack: the token. */
  readonly signIn: (server: Address, cert: SignedObject) => Promise<string>;
}

/** Which app, on which device, with which broker. */
export interface DeviceOptions {
  readonly identityUrl: string;
  readonly appId: string;
  readonly clock: MovingClock;
  readonly deviceName?: string;
}

/** The client id that a pass names. */
export const claimsOf = (cert: SignedObject): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(cert.payload, 'base64url').toString()) as Record<string, unknown>;

/** Makes one, with a fresh key. */
export async function createDevice(options: DeviceOptions): Promise<Device> {
  const { identityUrl, appId, clock, deviceName = 'Living room' } = options;
  const seed = randomBytes(32);
  const publicKey = await publicKeyOf(seed);
  const api = `${identityUrl}/api/identity`;

  const sign: Device['sign'] = async (value) =>
    toBase64url(await signWith(seed, bytesToSign(value)));

  const begin: Device['begin'] = (server, cert) =>
    ask(`${server.url}/api/auth/identity-session/begin`, { body: { cert } });

  async function complete(server: Address, cert: SignedObject, changes: CompleteChanges = {}) {
    const { signer, signed, ...sent } = changes;
    const challenge = sent.challenge ?? textOf(await begin(server, cert), 'challenge');
    const body = { cert, serverId: server.serverId, ts: clock.now(), ...sent, challenge };
    const sig = sent.sig ?? (await (signer?.sign ?? sign)({ ...unsigned(body), ...signed }));
    return ask(`${server.url}/api/auth/identity-session/complete`, { body: { ...body, sig } });
  }

  async function renew(cert: SignedObject, changes: Readonly<Record<string, unknown>> = {}) {
    const { exp, clientId } = claimsOf(cert);
    const ts = clock.now();
    const told = { kind: 'cert-renewal', clientId, currentCertExp: exp, ts, ...ofRenewal(changes) };
    const body = { currentCert: cert, ts, sig: await sign(told), ...changes };
    return ask(`${api}/clients/${String(clientId)}/renew`, { body });
  }

  return {
    publicKey,
    sign,
    pairBegin: (changes = {}) =>
      ask(`${api}/clients/pair/begin`, {
        body: { appId, clientPubKey: publicKey, deviceName, platform: 'tv', ...changes },
      }),
    poll: (requestId) => ask(`${api}/clients/pair/${requestId}`),
    renew,
    begin,
    complete,
    signIn: async (server, cert) => textOf(await complete(server, cert), 'sessionToken'),
  };
}

const unsigned = ({ cert, serverId, challenge, ts }: Readonly<Record<string, unknown>>) => ({
  cert,
  serverId,
  challenge,
  ts,
});

/** A changed time is signed as well: only what is changed in `sig` is a wrong signature. */
const ofRenewal = ({ ts }: Readonly<Record<string, unknown>>) => (ts === undefined ? {} : { ts });
