/** Identity protocol 3.5 and 3.7, on the side of the app. */
import { describe, expect, test } from 'vitest';
import { createPerson } from '../../../test/support/identity-fakes/person.ts';
import { clientId } from '../../../test/support/identity-fakes/fake-broker.ts';
import { createWorld } from '../../../test/support/identity-fakes/world.ts';

const code = (error: unknown): unknown => (error as { code?: unknown }).code;
const dayMs = 86_400_000;

describe('a pass', () => {
  test('is renewed between day 30 and day 31, not before, and then in steps of 31 days', async () => {
    const { paired, broker, clock } = await createWorld();
    const { client, types } = await paired();
    await broker.stock(6);
    const start = clock.now();
    await clock.advance(30 * dayMs - 10_000);
    expect(broker.renewals).toHaveLength(0);
    const seen: number[] = [];
    for (let round = 1; round <= 5; round += 1) {
      await clock.advance(31 * dayMs);
      seen.push(broker.renewals.length);
      expect(client.state().account?.expiresAt).toBeGreaterThan(clock.now());
    }
    expect(types().filter((type) => type === 'renewed')).toHaveLength(6);
    expect(seen).toEqual([2, 3, 4, 5, 6]);

    // The user has not visited the broker: daily requests, an event, and the end at day 240.
    expect(client.state().isRenewalPending).toBe(false);
    await clock.advance(27 * dayMs);
    expect(client.state()).toMatchObject({ status: 'signed_in', isRenewalPending: true });
    expect(types()).toContain('renewal_pending');
    await clock.advance(start + 241 * dayMs - clock.now());
    expect(client.state()).toMatchObject({ status: 'pairing_needed', reason: 'expired' });
    expect(types().at(-1)).toBe('paired_again_needed');
    expect(clock.timers()).toBe(0);
    // 241 days of timers: seconds of work, more on a busy machine.
  }, 120_000);

  test('is renewed at random times, spread over a day', async () => {
    const moments = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      const { paired, store } = await createWorld();
      const { client } = await paired();
      const text = (await store.getItem('vitrine.membership')) ?? '';
      const { renewAtMs } = JSON.parse(text) as { renewAtMs: number };
      const issuedMs = (client.state().account?.expiresAt ?? 0) - 60 * dayMs;
      expect(renewAtMs - issuedMs).toBeGreaterThanOrEqual(30 * dayMs);
      expect(renewAtMs - issuedMs).toBeLessThanOrEqual(31 * dayMs);
      moments.add(renewAtMs);
    }
    expect(moments.size).toBe(3);
  });

  test('that waits for the user (202) is requested once a day', async () => {
    const { paired, broker, clock } = await createWorld();
    await paired();
    await clock.advance(31 * dayMs);
    const before = broker.renewals.length;
    await clock.advance(5 * dayMs);
    expect(broker.renewals.length - before).toBe(5);
  });

  test('is renewed when it became due while the app was off', async () => {
    const { paired, app, broker, clock } = await createWorld();
    (await paired()).client.stop();
    await broker.stock(6);
    await clock.advance(45 * dayMs);
    const { client } = await app();
    await clock.advance(1);
    expect(client.state().status).toBe('signed_in');
    expect(broker.renewals).toHaveLength(1);
    expect(client.state().account?.expiresAt).toBeGreaterThan(clock.now() + 40 * dayMs);
  });

  test('is kept when the broker is unreachable, and requested again the next day', async () => {
    const { paired, broker, clock } = await createWorld();
    const { client, types } = await paired();
    await broker.stock(6);
    broker.instead = () => ({ status: 503, body: {} });
    await clock.advance(31 * dayMs);
    expect(types()).toContain('renewal_failed');
    expect(client.state().status).toBe('signed_in');
    broker.instead = null;
    await clock.advance(dayMs);
    expect(types()).toContain('renewed');
  });

  test('is renewed once with the broker’s time when the clock is wrong', async () => {
    const world = await createWorld();
    const { client } = await world.paired();
    await world.broker.stock(6);
    client.stop();
    await world.clock.advance(35 * dayMs);
    const late = await world.app({
      clock: { ...world.clock, now: () => world.clock.now() - 3_600_000 },
    });
    expect(await late.client.renew()).toBe('renewed');
    expect(world.broker.renewals).toHaveLength(2);
  });

  test('that is requested too early waits for the time that the broker gives', async () => {
    const { paired, broker, clock } = await createWorld();
    const { client } = await paired();
    expect(await client.renew().catch(code)).toBe('renewal_too_early');
    await clock.advance(29 * dayMs);
    expect(broker.renewals).toHaveLength(1);
  });

  test('of a revoked device ends everything: 403 revoked', async () => {
    const { paired, broker, clock, keys, store } = await createWorld();
    const { client, types } = await paired();
    broker.revoked = true;
    await clock.advance(31 * dayMs);
    expect(client.state()).toMatchObject({ status: 'pairing_needed', reason: 'revoked' });
    expect(types().filter((type) => type === 'paired_again_needed')).toHaveLength(1);
    expect(await keys.load()).toBeNull();
    expect(await store.getItem('vitrine.membership')).toBeNull();
    const asked = broker.renewals.length;
    await clock.advance(40 * dayMs);
    expect(broker.renewals.length).toBe(asked);
  });

  test('can add a server, which is signed in to, and remove one', async () => {
    const { paired, broker, clock, servers } = await createWorld();
    const [home, cabin] = servers;
    broker.servers = [home.listed];
    const { client } = await paired();
    await broker.stock(6);
    expect(client.state().servers.map(({ name }) => name)).toEqual(['Home']);
    broker.servers = [cabin.listed];
    await clock.advance(31 * dayMs);
    expect(client.state().servers).toMatchObject([{ name: 'Cabin', status: 'online' }]);
  });
});

describe('a renewal is refused', () => {
  const afterRenewal = async (
    extras: (world: Awaited<ReturnType<typeof createWorld>>) => Promise<object>,
    signer = createPerson('1'),
  ): Promise<{ readonly error: unknown; readonly userPubKey: string | undefined }> => {
    const world = await createWorld();
    const { client } = await world.paired();
    await world.broker.stock(6, await signer);
    const nowSeconds = (): number => Math.floor(world.clock.now() / 1000);
    world.broker.extras = async () => ({
      servers: world.broker.servers,
      serverList: await (
        await signer
      ).list({ clientId, iat: nowSeconds(), servers: world.broker.servers }),
      ...(await extras(world)),
    });
    client.stop();
    await world.clock.advance(32 * dayMs);
    const later = await world.app();
    const error = await later.client.renew().then(() => null, code);
    return { error, userPubKey: later.client.state().account?.userPubKey };
  };
  const ada = createPerson('1');
  const next = createPerson('2');
  const mallory = createPerson('7');

  test('but not when it conforms to the protocol', async () => {
    expect(await afterRenewal(async () => ({}))).toEqual({
      error: null,
      userPubKey: (await ada).userPubKey,
    });
  });

  test('with another key, without a record', async () => {
    expect(await afterRenewal(async () => ({}), mallory)).toEqual({
      error: 'rotation_invalid',
      userPubKey: (await ada).userPubKey,
    });
  });

  test('but not when the old key and the new key signed the rotation', async () => {
    const rotation = async () => ({
      rotation: await (await ada).rotateTo(await next, 1_795_247_000),
    });
    expect(await afterRenewal(rotation, next)).toEqual({
      error: null,
      userPubKey: (await next).userPubKey,
    });
  });

  describe('after the key was changed twice', () => {
    const last = createPerson('3');
    const steps = async () =>
      [
        await (await ada).rotateTo(await next, 1_795_247_000),
        await (await next).rotateTo(await last, 1_795_247_001),
      ] as const;

    test('but not when each key signed the next rotation', async () => {
      const rotations = await steps();
      expect(await afterRenewal(async () => ({ rotation: rotations[0], rotations }), last)).toEqual(
        { error: null, userPubKey: (await last).userPubKey },
      );
    });

    test.each<[string, () => Promise<readonly object[]>]>([
      ['lacks the first step', async () => (await steps()).slice(1)],
      ['lacks the last step', async () => (await steps()).slice(0, 1)],
      ['has them in another order', async () => (await steps()).toReversed()],
      [
        'goes on elsewhere',
        async () => [...(await steps()), await (await last).rotateTo(await mallory, 1)],
      ],
      [
        'has a step that a stranger signed',
        async () => [(await steps())[0], await (await mallory).rotateTo(await last, 1_795_247_001)],
      ],
      ['is endless', async () => Array.from({ length: 17 }, () => ({}))],
      ['is not a list', async () => ({}) as never],
    ])('when the chain %s', async (_, chain) => {
      const rotations = await chain();
      expect(await afterRenewal(async () => ({ rotations }), last)).toEqual({
        error: 'rotation_invalid',
        userPubKey: (await ada).userPubKey,
      });
    });
  });

  test.each<[string, () => Promise<object>]>([
    [
      'another key signed as the old key',
      async () => (await mallory).rotateTo(await next, 1_795_247_000),
    ],
    [
      'the new key did not sign',
      async () => ({
        ...(await (await ada).rotateTo(await next, 1_795_247_000)),
        newSig: (await (await ada).rotateTo(await mallory, 1_795_247_000)).newSig,
      }),
    ],
    ['names another new key', async () => (await ada).rotateTo(await mallory, 1_795_247_000)],
    [
      'is of another kind',
      async () => ({
        ...(await (
          await ada
        ).sign({
          kind: 'key-revoked',
          v: 1,
          iat: 1_795_247_000,
          userId: 'u_ada',
          userPubKey: (await ada).userPubKey,
        })),
        newSig: (await (await ada).rotateTo(await next, 1_795_247_000)).newSig,
      }),
    ],
  ])('whose record of the rotation %s', async (_, rotation) => {
    expect(await afterRenewal(async () => ({ rotation: await rotation() }), next)).toEqual({
      error: 'rotation_invalid',
      userPubKey: (await ada).userPubKey,
    });
  });

  test('with a pass of another client', async () => {
    const cert = async (world: Awaited<ReturnType<typeof createWorld>>) => ({
      cert: await (
        await ada
      ).pass({
        appId: 'app_example',
        clientId: '11111111-1111-4111-8111-111111111111',
        clientPubKey: (await world.keys.load())?.publicKey ?? '',
        iat: Math.floor(world.clock.now() / 1000),
      }),
    });
    expect(await afterRenewal(cert)).toMatchObject({ error: 'cert_wrong_client' });
  });

  test('with an older pass', async () => {
    const cert = async (world: Awaited<ReturnType<typeof createWorld>>) => ({
      cert: await (
        await ada
      ).pass({
        appId: 'app_example',
        clientId,
        clientPubKey: (await world.keys.load())?.publicKey ?? '',
        iat: Math.floor(world.clock.now() / 1000) - 40 * 86_400,
      }),
    });
    expect(await afterRenewal(cert)).toMatchObject({ error: 'cert_stale' });
  });

  test('that changes the address of a server', async () => {
    const swapped = async (world: Awaited<ReturnType<typeof createWorld>>) => ({
      servers: world.broker.servers.map((one) => ({ ...one, baseUrl: 'https://evil.example' })),
    });
    expect(await afterRenewal(swapped)).toMatchObject({ error: 'servers_mismatch' });
  });
});

test('an old list with a new pass does not replace a newer one', async () => {
  const { paired, broker, clock, person, servers } = await createWorld();
  const [home, cabin] = servers;
  const { client } = await paired();
  await broker.stock(6);
  broker.extras = async () => ({
    servers: [cabin.listed],
    serverList: await person.list({
      clientId,
      iat: Math.floor(clock.now() / 1000) - 90 * 86_400,
      servers: [cabin.listed],
    }),
  });
  await clock.advance(31 * dayMs);
  expect(client.state().servers.map(({ serverId }) => serverId)).toEqual([
    home.serverId,
    cabin.serverId,
  ]);
});

test('the app renews immediately when a server knows a newer key of the user', async () => {
  const { paired, broker, clock, servers } = await createWorld();
  const { client } = await paired();
  await broker.stock(6);
  await clock.advance(30 * dayMs - 10_000);
  const [home] = servers;
  home.endSessions();
  let isKnown = false;
  home.instead = ({ path }) => {
    if (isKnown || !path.endsWith('/begin')) return undefined;
    isKnown = true;
    return { status: 401, body: { error: 'unauthorized', code: 'identity_rotated' } };
  };
  await clock.advance(9_999);
  const before = broker.renewals.length;
  await client.server(home.serverId).items().catch(code);
  expect(broker.renewals.length).toBe(before + 1);
});

test('two tabs share one renewal: the second uses the stored result of the first', async () => {
  const { paired, app, broker, clock } = await createWorld();
  const first = await paired();
  const second = await app();
  await broker.stock(6);
  await clock.advance(31 * dayMs);
  expect(broker.renewals).toHaveLength(1);
  expect(second.client.state().account).toEqual(first.client.state().account);
});

test('a sign-out in one tab is detected by the other', async () => {
  const { paired, app, clock } = await createWorld();
  const first = await paired();
  const second = await app();
  await first.client.signOut();
  await clock.advance(31 * dayMs);
  expect(second.client.state().status).toBe('signed_out');
});

test('an outdated tab does not delete data of one that paired again', async () => {
  const { paired, app, broker, clock, servers, keys, store } = await createWorld();
  const first = await paired();
  const second = await app();
  await first.client.signOut();
  const pairing = await first.client.pairByCode();
  await broker.approve();
  await clock.advance(3_000);
  await pairing.done;
  const key = await keys.load();

  const [home] = servers;
  home.instead = ({ path }) =>
    path === '/api/items'
      ? { status: 401, body: { error: 'unauthorized', code: 'identity_revoked' } }
      : undefined;
  await second.client.server(home.serverId).items().catch(code);

  expect(second.client.state()).toMatchObject({ status: 'pairing_needed', reason: 'revoked' });
  expect(first.client.state().status).toBe('signed_in');
  expect(await keys.load()).toMatchObject({ publicKey: key?.publicKey });
  expect(await store.getItem('vitrine.membership')).not.toBeNull();
});
