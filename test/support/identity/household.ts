/** Two homes, one broker, and Ada, who has an account in both and an app on her television. */
import { good, textOf, type Answer } from './ask.ts';
import { claimsOf, createDevice, type Device } from './device.ts';
import {
  openHomeServer,
  password,
  type HomeServer,
  type LocalUser,
  type OpenedHome,
} from './home-server.ts';
import { createMovingClock, type MovingClock } from './moving-clock.ts';
import { registerPerson, type Approving, type Person } from './person.ts';
import { openTestBroker, type TestBroker } from './test-broker.ts';
import type { SignedObject } from '../../../packages/lib/identity-protocol/index.ts';
import type { LinkedServer } from '../../../packages/app/broker/service/web-api.ts';

/** The app of the tests, and where it is called back. */
export const appId = 'app_telly';
export const appOrigin = 'https://telly.example.org';
export const callbackUrl = `${appOrigin}/paired`;

/** A device with a pass. */
export interface PairedDevice {
  readonly device: Device;
  readonly cert: SignedObject;
  readonly clientId: string;
  readonly servers: readonly LinkedServer[];
  readonly serverList: SignedObject;
}

/** Everybody. */
export interface IdentityHousehold {
  readonly clock: MovingClock;
  readonly broker: TestBroker;
  readonly attic: OpenedHome;
  readonly cellar: OpenedHome;
  readonly homes: readonly HomeServer[];
  readonly ada: Person;
  /** Ada's accounts, by the names of the homes. */
  readonly locals: Readonly<Record<string, LocalUser>>;
  readonly newDevice: (deviceName?: string) => Promise<Device>;
  /** Pairs by code, as somebody who is signed in. */
  readonly pair: (device?: Device, person?: Person, approving?: Approving) => Promise<PairedDevice>;
  /** Lets as much time pass as is between two looks of a server into the feed. */
  readonly feedInterval: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What is other than usual. */
export interface HouseholdOptions {
  readonly films?: Readonly<Record<'Attic' | 'Cellar', readonly string[]>>;
  readonly isLinked?: boolean;
}

/** Opens it; Ada's identity is linked to her account in both homes, unless told. */
export async function openIdentityHousehold(
  options: HouseholdOptions = {},
): Promise<IdentityHousehold> {
  const clock = createMovingClock();
  const broker = await openTestBroker({ clock });
  const { identityUrl } = broker;
  const homeOf = (name: 'Attic' | 'Cellar') =>
    openHomeServer({ name, identityUrl, clock, films: options.films?.[name] ?? [] });
  const attic = await homeOf('Attic');
  const cellar = await homeOf('Cellar');
  const ada = await registerPerson('ada', { identityUrl, clock });
  good(
    await ada.web('apps', {
      body: {
        ...{ slug: 'telly', name: 'Telly', domain: null, icon: null },
        callbacks: [callbackUrl, appOrigin],
      },
    }),
  );
  const locals: Record<string, LocalUser> = {};
  for (const home of [attic, cellar]) {
    const local = await home.join('Ada');
    locals[home.name] = local;
    if (options.isLinked !== false) await linkHome(home, local, ada);
  }

  const newDevice = (deviceName = 'Living room'): Promise<Device> =>
    createDevice({ identityUrl, appId, clock, deviceName });

  const pair: IdentityHousehold['pair'] = async (given, person = ada, approving = {}) => {
    const device = given ?? (await newDevice());
    const requestId = await person.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    good(await person.approve(requestId, approving));
    return pairedFrom(device, await device.poll(requestId));
  };

  return {
    clock,
    broker,
    attic,
    cellar,
    homes: [attic, cellar],
    ada,
    locals,
    newDevice,
    pair,
    feedInterval: () => clock.advance(6 * 60_000),
    async stop() {
      await Promise.all([attic, cellar].map((home) => home.stop()));
      await broker.stop();
    },
  };
}

/** What a poll that is over gives. */
export function pairedFrom(device: Device, poll: Answer): PairedDevice {
  const { status, cert, servers, serverList } = good(poll) as unknown as PairedDevice & {
    readonly status: string;
  };
  if (status !== 'completed') throw new Error(`It is not paired: ${JSON.stringify(poll.body)}.`);
  return { device, cert, clientId: String(claimsOf(cert)['clientId']), servers, serverList };
}

/** A link that waits for its owner: begun at the home, not yet approved. */
export async function beginLink(home: Pick<HomeServer, 'ask'>, local: LocalUser) {
  const begun = await home.ask('/api/identity/links', { body: { password }, token: local.token });
  const { id, linkUrl } = good(begun)['link'] as { readonly id: string; readonly linkUrl: string };
  return { id, linkUrl, requestId: linkUrl.split('/').at(-1) ?? '' };
}

/** What the home says of a link. */
export async function lookAtLink(home: Pick<HomeServer, 'ask'>, local: LocalUser, id: string) {
  const looked = await home.ask(`/api/identity/links/${id}`, { token: local.token });
  return good(looked)['link'] as {
    readonly state: string;
    readonly fingerprint: string;
    readonly userPubKey: string;
  };
}

/** Links an identity to an account: password, passkey, fingerprint. */
export async function linkHome(home: HomeServer, local: LocalUser, person: Person): Promise<void> {
  const { id, requestId } = await beginLink(home, local);
  good(await person.link(requestId));
  const { fingerprint } = await lookAtLink(home, local, id);
  const confirm = { body: { fingerprint }, token: local.token };
  good(await home.ask(`/api/identity/links/${id}/confirm`, confirm));
}
