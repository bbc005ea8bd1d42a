/** A broker, servers and an app on one clock that is moved by hand. */
import { onTestFinished } from 'vitest';
import {
  createClient,
  createMemoryKeyStore,
  createMemoryStore,
  type Client,
  type ClientEvent,
  type ClientOptions,
  type KeyStore,
  type TextStore,
} from '../../../packages/app/client/index.ts';
import { createFakeBroker, type FakeBroker } from './fake-broker.ts';
import { createFakeServer, type FakeServer } from './fake-server.ts';
import { createPerson, type Person } from './person.ts';
import { createQuietClock, type QuietClock } from './quiet-clock.ts';

/** Everything that a test of the SDK needs. */
export interface World {
  readonly clock: QuietClock;
  readonly person: Person;
  readonly broker: FakeBroker;
  readonly servers: readonly [FakeServer, FakeServer];
  readonly store: TextStore;
  readonly keys: KeyStore;
  /** An app on this device; made again, it is the app after a restart. */
  readonly app: (options?: Partial<ClientOptions>) => Promise<App>;
  /** An app whose user approved. */
  readonly paired: () => Promise<App>;
}

/** A client, and what it told. */
export interface App {
  readonly client: Client;
  readonly events: ClientEvent[];
  readonly types: () => readonly string[];
}

export async function createWorld(): Promise<World> {
  const clock = createQuietClock();
  const person = await createPerson('1');
  const broker = await createFakeBroker(person, clock);
  const parts = { person, now: clock.now };
  const servers = [
    await createFakeServer('a', 'Home', parts),
    await createFakeServer('b', 'Cabin', parts),
  ] as const;
  broker.servers = servers.map(({ listed }) => listed);
  const store = createMemoryStore();
  const keys = createMemoryKeyStore();
  onTestFinished(async () => {
    await Promise.all([broker.close(), ...servers.map((one) => one.close())]);
  });

  async function app(options: Partial<ClientOptions> = {}): Promise<App> {
    const client = createClient({
      appId: 'app_example',
      identityUrl: broker.url,
      deviceName: 'Kitchen',
      platform: 'tv',
      keys,
      store,
      clock,
      fetch: clock.fetch,
      ...options,
    });
    onTestFinished(() => client.stop());
    const events: ClientEvent[] = [];
    client.subscribe((event) => events.push(event));
    await client.start();
    return { client, events, types: () => events.map(({ type }) => type) };
  }

  return {
    clock,
    person,
    broker,
    servers,
    store,
    keys,
    app,
    paired: async () => {
      const made = await app();
      const pairing = await made.client.pairByCode();
      await broker.approve();
      await clock.advance(3_000);
      await pairing.done;
      await clock.settle();
      return made;
    },
  };
}
