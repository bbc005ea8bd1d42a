/** A broker, Ada who has an account there, her app, and servers that are nothing but a key. */
import { randomBytes } from 'node:crypto';
import {
  publicKeyOf,
  sealSigned,
  signWith,
} from '../../../packages/lib/identity-protocol/index.ts';
import type { SignedObject } from '../../../packages/lib/identity-protocol/index.ts';
import type { BrokerLimits } from '../../../packages/app/broker/index.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { ask, good, textOf, type Answer } from './ask.ts';
import { claimsOf, createDevice, type Device } from './device.ts';
import { registerPerson, type Approving, type Person } from './person.ts';
import { openTestBroker, type TestBroker } from './test-broker.ts';

/** The app, and where it is called back. */
export const appId = 'app_telly';
export const callbackUrl = 'https://telly.example.org/paired';

/** A server as far as a broker sees one. */
export interface KeyServer {
  readonly serverId: string;
  /** Asks to be linked, or, with `update`, tells what is new; changed as a test wants it. */
  readonly request: (changes?: Readonly<Record<string, unknown>>) => Promise<SignedObject>;
}

/** A device that was paired. */
export interface Paired {
  readonly device: Device;
  readonly requestId: string;
  readonly clientId: string;
  readonly cert: SignedObject;
  readonly poll: Answer;
}

export interface BrokerScene {
  readonly clock: FakeClock;
  readonly broker: TestBroker;
  readonly ada: Person;
  readonly register: (handle: string) => Promise<Person>;
  readonly newDevice: (deviceName?: string) => Promise<Device>;
  /** Begins a pairing; gives its id. */
  readonly begin: (device: Device, changes?: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly pair: (device?: Device, person?: Person, approving?: Approving) => Promise<Paired>;
  readonly newServer: (name?: string) => Promise<KeyServer>;
  readonly beginLink: (signed: unknown) => Promise<Answer>;
  /** Links a server to somebody. */
  readonly link: (server: KeyServer, person?: Person) => Promise<void>;
  readonly feed: (since?: number | string, headers?: Record<string, string>) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

/** Opens it. The caller stops it. */
export async function openBrokerScene(
  limits: 'usual' | Partial<BrokerLimits> = {},
): Promise<BrokerScene> {
  const clock = createFakeClock();
  const broker = await openTestBroker({ clock, limits });
  const { identityUrl } = broker;
  const ada = await registerPerson('ada', { identityUrl, clock });
  const callbacks = [callbackUrl, 'org.example.telly:/paired'];
  const app = { slug: 'telly', name: 'Telly', callbacks, domain: null, icon: null };
  good(await ada.web('apps', { body: app }));

  const newDevice = (deviceName = 'Living room'): Promise<Device> =>
    createDevice({ identityUrl, appId, clock, deviceName });

  const begin: BrokerScene['begin'] = async (device, changes = {}) =>
    textOf(await device.pairBegin(changes), 'requestId');

  const pair: BrokerScene['pair'] = async (given, person = ada, approving = {}) => {
    const device = given ?? (await newDevice());
    const requestId = await begin(device);
    await person.signIn();
    good(await person.approve(requestId, approving));
    const poll = await device.poll(requestId);
    const cert = good(poll)['cert'] as SignedObject;
    return { device, requestId, clientId: String(claimsOf(cert)['clientId']), cert, poll };
  };

  const beginLink: BrokerScene['beginLink'] = (body) =>
    ask(`${identityUrl}/api/identity/servers/link/begin`, { body });

  return {
    clock,
    broker,
    ada,
    register: (handle) => registerPerson(handle, { identityUrl, clock }),
    newDevice,
    begin,
    pair,
    newServer: (name = 'Attic') => createKeyServer(name, clock),
    beginLink,
    link: async (server, person = ada) => {
      await person.signIn();
      good(await person.link(textOf(await beginLink(await server.request()), 'requestId')));
    },
    feed: (since = 0, headers = {}) =>
      ask(`${identityUrl}/api/identity/revocations?since=${since}`, { headers }),
    stop: broker.stop,
  };
}

async function createKeyServer(name: string, clock: FakeClock): Promise<KeyServer> {
  const seed = randomBytes(32);
  const serverId = await publicKeyOf(seed);
  const baseUrl = `https://${name.toLowerCase()}.example.org`;
  return {
    serverId,
    request: (changes = {}) =>
      sealSigned(
        {
          ...{ kind: 'server-link-request', v: 1, baseUrl, name, serverId },
          iat: Math.floor(clock.now() / 1000),
          nonce: randomBytes(32).toString('hex'),
          ...changes,
        },
        (bytes) => signWith(seed, bytes),
      ),
  };
}
