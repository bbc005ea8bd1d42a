/** Issue 5, point 4 and identity protocol 3.2: pairing in both flows, and refusals. */
import { describe, expect, test } from 'vitest';
import type { FakeBroker } from '../../../test/support/identity-fakes/fake-broker.ts';
import { createPerson, type Person } from '../../../test/support/identity-fakes/person.ts';
import { createWorld, type World } from '../../../test/support/identity-fakes/world.ts';
import { toBase64url } from '../../lib/identity-protocol/index.ts';

type Approval = NonNullable<Parameters<FakeBroker['approve']>[0]>;

const code = (error: unknown): unknown => (error as { code?: unknown }).code;

async function outcomeOf(world: World, approval: Approval): Promise<unknown> {
  const { client } = await world.app();
  const pairing = await client.pairByCode();
  await world.broker.approve(approval);
  await world.clock.advance(3_000);
  return pairing.done.then(() => client.state().status, code);
}

const decoded = (payload: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;

const now = 1_795_247_093;
const resigned =
  (person: Person, change: (value: Record<string, unknown>) => Record<string, unknown>) =>
  async (told: Record<string, unknown>, key: 'cert' | 'serverList') => ({
    ...told,
    [key]: await person.sign(change(decoded((told[key] as { payload: string }).payload))),
  });

describe('a pass is refused', () => {
  test('the same approval without an attack is accepted', async () => {
    expect(await outcomeOf(await createWorld(), {})).toBe('signed_in');
  });

  test.each<[string, NonNullable<Approval['claims']>, string]>([
    ['is for another app', { appId: 'app_other' }, 'cert_wrong_app'],
    ['is for another key', { clientPubKey: 'ab'.repeat(32) }, 'cert_wrong_key'],
    ['has expired', { iat: now - 86_400, exp: now - 1 }, 'cert_expired'],
    ['would be good for 61 days', { exp: now + 61 * 86_400 }, 'cert_lifetime'],
    ['is of version 2', { v: 2 }, 'cert_version'],
    ['has no scope', { scope: [] }, 'cert_malformed'],
  ])('that %s', async (_, claims, refusal) => {
    const world = await createWorld();
    expect(await outcomeOf(world, { claims })).toBe(refusal);
    expect(await world.store.getItem('vitrine.membership')).toBeNull();
  });

  test('that a different key than the named one signed', async () => {
    const world = await createWorld();
    const mallory = await createPerson('7');
    const { client } = await world.app();
    const pairing = await client.pairByCode();
    const forged = await mallory.sign({
      appId: 'app_example',
      clientId: '9b2f1c4e-5a6d-4e7f-8a9b-0c1d2e3f4a5b',
      clientPubKey: String(world.broker.begun[0]?.['clientPubKey']),
      deviceName: 'Kitchen',
      exp: now + 86_400,
      iat: now,
      scope: ['servers:*'],
      userId: 'u_ada',
      userPubKey: world.person.userPubKey,
      v: 1,
    });
    await world.broker.approve({ tamper: (told) => ({ ...told, cert: forged }) });
    await world.clock.advance(3_000);
    expect(await pairing.done.catch(code)).toBe('cert_bad_signature');
  });

  test('whose payload is spelled with spaces', async () => {
    const tamper = (told: Record<string, unknown>) => {
      const { payload, sig } = told['cert'] as { payload: string; sig: string };
      const spaced = JSON.stringify(decoded(payload), null, 1);
      return { ...told, cert: { payload: toBase64url(new TextEncoder().encode(spaced)), sig } };
    };
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('cert_malformed');
  });

  test('that has a third key besides payload and signature', async () => {
    const tamper = (told: Record<string, unknown>) => ({
      ...told,
      cert: { ...(told['cert'] as object), kid: '1' },
    });
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('cert_malformed');
  });
});

describe('a list of servers is refused', () => {
  test('whose copy has another address', async () => {
    const tamper = (told: Record<string, unknown>) => ({
      ...told,
      servers: (told['servers'] as object[]).map((one) => ({
        ...one,
        baseUrl: 'https://evil.example',
      })),
    });
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('servers_mismatch');
  });

  test('whose copy has an extra server', async () => {
    const tamper = (told: Record<string, unknown>) => {
      const servers = told['servers'] as object[];
      return { ...told, servers: [...servers, { ...servers[0], serverId: 'cd'.repeat(32) }] };
    };
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('servers_mismatch');
  });

  test('whose copy is in another order', async () => {
    const tamper = (told: Record<string, unknown>) => ({
      ...told,
      servers: (told['servers'] as object[]).toReversed(),
    });
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('servers_mismatch');
  });

  test('but not one whose copy has its keys in another order: the canonical bytes are compared', async () => {
    const tamper = (told: Record<string, unknown>) => ({
      ...told,
      servers: (told['servers'] as object[]).map((one) =>
        Object.fromEntries(Object.entries(one).toReversed()),
      ),
    });
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('signed_in');
  });

  test('that is not signed at all', async () => {
    const tamper = ({ serverList: _, ...told }: Record<string, unknown>) => told;
    expect(await outcomeOf(await createWorld(), { tamper })).toBe('server_list_invalid');
  });

  test.each<[string, (value: Record<string, unknown>) => Record<string, unknown>]>([
    [
      'is for another client',
      (list) => ({ ...list, clientId: '9b2f1c4e-5a6d-4e7f-8a9b-ffffffffffff' }),
    ],
    ['names another key', (list) => ({ ...list, userPubKey: 'ab'.repeat(32) })],
    [
      'has a server over plain http in the open',
      (list) => ({
        ...list,
        servers: (list['servers'] as object[]).map((one) => ({
          ...one,
          baseUrl: 'http://media.example.org',
        })),
      }),
    ],
  ])('that %s', async (_, change) => {
    const world = await createWorld();
    const { client } = await world.app();
    const pairing = await client.pairByCode();
    await world.broker.approve();
    const told = await resigned(world.person, change)(
      { ...world.broker.last().told },
      'serverList',
    );
    world.broker.last().told = told;
    await world.clock.advance(3_000);
    expect(await pairing.done.catch(code)).toBe('server_list_invalid');
    expect(client.state()).toMatchObject({ status: 'signed_out', servers: [] });
  });

  test('that another key signed', async () => {
    const world = await createWorld();
    const mallory = await createPerson('7');
    const { client } = await world.app();
    const pairing = await client.pairByCode();
    await world.broker.approve();
    world.broker.last().told = await resigned(mallory, (list) => list)(
      { ...world.broker.last().told },
      'serverList',
    );
    await world.clock.advance(3_000);
    expect(await pairing.done.catch(code)).toBe('server_list_invalid');
    expect(world.servers[0].asked).toEqual([]);
  });
});

describe('polling', () => {
  const gaps = (polls: readonly number[]): readonly number[] =>
    polls.slice(1).map((at, index) => at - (polls[index] ?? 0));

  test('is never faster than once in two seconds, never slower than once in five', async () => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();
    await client.pairByCode();
    await clock.advance(60_000);

    expect(broker.polls.length).toBeGreaterThan(10);
    for (const gap of gaps(broker.polls)) {
      expect(gap).toBeGreaterThanOrEqual(2_000);
      expect(gap).toBeLessThanOrEqual(5_000);
    }
  });

  test('waits as long as a broker requests with 429, and polls more slowly from then on', async () => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();
    await client.pairByCode();
    let refusals = 1;
    const at: number[] = [];
    broker.instead = () => {
      at.push(clock.now());
      if (refusals === 0) return undefined;
      refusals -= 1;
      return { status: 429, body: { error: 'slow_down' }, headers: { 'retry-after': '9' } };
    };
    await clock.advance(30_000);

    expect(gaps(at).slice(0, 3)).toEqual([9_000, 5_000, 5_000]);
  });

  test('ends immediately when the broker requests a wait that is longer than a result is available', async () => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();
    const pairing = await client.pairByCode();
    const headers = { 'retry-after': '1e9' };
    broker.instead = () => ({ status: 429, body: { error: 'rate_limited' }, headers });
    await clock.advance(3_000);
    expect(await pairing.done.catch(code)).toBe('expired');
    expect(clock.timers()).toBe(0);
  });

  test('continues after a temporary failure of the broker', async () => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();
    const pairing = await client.pairByCode();
    broker.instead = () => ({ status: 502, body: '' });
    await clock.advance(20_000);
    broker.instead = null;
    await broker.approve();
    await clock.advance(5_000);

    expect(await pairing.done).toMatchObject({ userId: 'u_ada' });
  });

  test('ends after ten minutes, also when the clock of the device is an hour ahead', async () => {
    const world = await createWorld();
    const { client, types } = await world.app({
      clock: { ...world.clock, now: () => world.clock.now() + 3_600_000 },
    });
    const pairing = await client.pairByCode();
    await world.clock.advance(590_000);
    expect(client.state().pairing).not.toBeNull();
    await world.clock.advance(20_000);

    expect(await pairing.done.catch(code)).toBe('expired');
    expect(types()).toEqual(['pairing_started', 'pairing_failed']);
    expect(world.clock.timers()).toBe(0);
  });

  test('can be cancelled by the app', async () => {
    const { app, clock } = await createWorld();
    const { client } = await app();
    const pairing = await client.pairByCode();
    pairing.cancel();

    expect(await pairing.done.catch(code)).toBe('cancelled');
    await clock.settle();
    expect(client.state().pairing).toBeNull();
    expect(clock.timers()).toBe(0);
  });

  test.each(['denied', 'expired', 'app_disabled', 'internal'])(
    'ends with %s when the broker says so',
    async (told) => {
      const { app, broker, clock } = await createWorld();
      const { client } = await app();
      const pairing = await client.pairByCode();
      broker.fail(told);
      await clock.advance(3_000);
      expect(await pairing.done.catch(code)).toBe(told);
    },
  );

  test('removes the key when the broker says that it is revoked: the next pairing creates a new one', async () => {
    const { app, broker, clock, keys } = await createWorld();
    const { client } = await app();
    const pairing = await client.pairByCode();
    broker.fail('client_key_revoked');
    await clock.advance(3_000);
    expect(await pairing.done.catch(code)).toBe('client_key_revoked');
    expect(await keys.load()).toBeNull();
    await client.pairByCode();
    const [first, second] = broker.begun;
    expect(first?.['clientPubKey']).not.toBe(second?.['clientPubKey']);
  });

  test('continues after a restart, with the same code', async () => {
    const { app, broker, clock } = await createWorld();
    const first = await app();
    const { code: shown } = await first.client.pairByCode();
    first.client.stop();
    await clock.settle();

    const { client } = await app();
    expect(client.state().pairing).toMatchObject({ code: shown });
    await broker.approve();
    await clock.advance(3_000);
    expect(client.state()).toMatchObject({ status: 'signed_in', pairing: null });
  });
});

describe('begin', () => {
  test.each([
    [400, 'unknown_app'],
    [400, 'invalid_key'],
    [403, 'app_disabled'],
    [400, 'callback_not_registered'],
    [429, 'rate_limited'],
  ])('maps %i %s to that code', async (status, error) => {
    const { app, broker } = await createWorld();
    const { client } = await app();
    broker.instead = () => ({ status, body: { error } });
    expect(await client.pairByCode().catch(code)).toBe(error);
  });

  test.each([
    {
      requestId: '../../me',
      expiresAt: now * 1000,
      pairingCode: '12345678',
      pairingUrl: 'https://id.example',
    },
    {
      requestId: 'abc',
      expiresAt: 'soon',
      pairingCode: '12345678',
      pairingUrl: 'https://id.example',
    },
    {
      requestId: 'abc',
      expiresAt: now * 1000,
      pairingCode: '1234567',
      pairingUrl: 'https://id.example',
    },
    {
      requestId: 'abc',
      expiresAt: now * 1000,
      pairingCode: '12345678',
      pairingUrl: 'javascript:alert(1)',
    },
  ])('refuses a malformed reply: %j', async (body) => {
    const { app, broker } = await createWorld();
    const { client } = await app();
    broker.instead = () => ({ body });
    expect(await client.pairByCode().catch(code)).toBe('bad_reply');
  });

  test.each(['', 'a'.repeat(65), 'tab\there', 'right\u202eleft'])(
    'refuses a device name that cannot be shown: %j',
    async (deviceName) => {
      const { app, broker } = await createWorld();
      const { client } = await app({ deviceName });
      expect(await client.pairByCode().catch(code)).toBe('invalid_request');
      expect(broker.begun).toEqual([]);
    },
  );
});

describe('the browser flow', () => {
  const callbackUrl = 'https://app.example/back';

  test('sends the user to the broker and accepts the callback, after a restart too', async () => {
    const { app, broker, clock } = await createWorld();
    const first = await app();
    const { url } = await first.client.pairByBrowser({ callbackUrl });
    const { requestId } = broker.last();
    expect(url).toBe(`${broker.url}/pair/${requestId}`);
    expect(broker.begun).toMatchObject([{ callbackUrl }]);
    first.client.stop();
    await broker.approve();

    const { client } = await app();
    const finishing = client.finishPairing(`${callbackUrl}?requestId=${requestId}&result=ok`);
    await clock.advance(1);
    expect(await finishing).toMatchObject({ userId: 'u_ada' });
    expect(client.state().status).toBe('signed_in');
  });

  test('accepts a callback with a custom scheme', async () => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();
    const custom = 'org.example.app:/paired';
    await client.pairByBrowser({ callbackUrl: custom });
    await broker.approve();
    const finishing = client.finishPairing(
      `${custom}?requestId=${broker.last().requestId}&result=ok#`,
    );
    await clock.advance(1);
    expect(await finishing).toMatchObject({ userId: 'u_ada' });
  });

  test.each<[string, (requestId: string) => string]>([
    ['a request that was not started here', () => `${callbackUrl}?requestId=of-mallory&result=ok`],
    ['no request', () => `${callbackUrl}?result=ok`],
    ['another address', (id) => `https://app.example/other?requestId=${id}&result=ok`],
  ])('ignores a callback with %s', async (_, urlOf) => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();
    await client.pairByBrowser({ callbackUrl });
    await broker.approve();
    const finishing = client.finishPairing(urlOf(broker.last().requestId));
    expect(await finishing.catch(code)).toBe('callback_unknown');
    await clock.advance(1);
    expect(broker.polls).toEqual([]);
    expect(client.state().status).toBe('signed_out');
  });

  test.each(['denied', 'expired'])('fails with %s when the callback says so', async (result) => {
    const { app, broker } = await createWorld();
    const { client } = await app();
    await client.pairByBrowser({ callbackUrl });
    const { requestId } = broker.last();
    const callback = `${callbackUrl}?requestId=${requestId}&result=${result}`;
    expect(await client.finishPairing(callback).catch(code)).toBe(result);
    // Used up: the same callback is ignored afterwards.
    expect(await client.finishPairing(callback).catch(code)).toBe('callback_unknown');
  });
});
