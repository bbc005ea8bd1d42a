/** Identity protocol 3.4, on the side of the app, and "Client reaction" of the specification. */
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../test/support/identity-fakes/world.ts';

const code = (error: unknown): unknown => (error as { code?: unknown }).code;
const begins = (asked: readonly string[]): number =>
  asked.filter((path) => path.endsWith('/begin')).length;
const dayMs = 86_400_000;

describe('signing in', () => {
  test('is one handshake for twenty concurrent calls', async () => {
    const { paired, servers, clock } = await createWorld();
    const { client } = await paired();
    const [home] = servers;
    home.asked.length = 0;
    home.endSessions();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.server(home.serverId).fetch('/api/items')),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(begins(home.asked)).toBe(1);
    await clock.settle();
  });

  test('is repeated automatically when the session has expired', async () => {
    const { paired, servers, clock } = await createWorld();
    const { client, events } = await paired();
    const [home] = servers;
    await clock.advance(dayMs + 1);
    home.asked.length = 0;
    const before = events.length;

    expect(await client.server(home.serverId).items()).toMatchObject({ items: [{}] });
    expect(home.asked.map((path) => path.split('/').at(-1))).toEqual([
      'begin',
      'complete',
      'items',
    ]);
    expect(events.slice(before)).toEqual([]);
  });

  test('never signs a malformed challenge', async () => {
    const { app, broker, clock, servers } = await createWorld();
    const [home] = servers;
    for (const challenge of ['AB'.repeat(32), 'ab'.repeat(31), '', 5, null, { a: 1 }]) {
      home.instead = ({ path }) => (path.endsWith('/begin') ? { body: { challenge } } : undefined);
      const { client } = await app();
      const pairing = await client.pairByCode();
      await broker.approve();
      await clock.advance(3_000);
      await pairing.done;
      await clock.settle();
      expect(client.state().servers[0]?.error?.code).toBe('challenge_malformed');
      client.stop();
    }
    expect(home.asked.filter((path) => path.endsWith('/complete'))).toEqual([]);
  });

  test('corrects its clock once when the server reports clock skew, and stores the correction', async () => {
    const { paired, servers, clock } = await createWorld();
    const [home, cabin] = servers;
    home.aheadMs = 3_600_000;
    const { client } = await paired();
    expect(client.state().servers.map(({ status }) => status)).toEqual(['online', 'online']);
    expect(begins(home.asked)).toBe(2);
    expect(begins(cabin.asked)).toBe(1);

    await clock.advance(dayMs);
    home.asked.length = 0;
    await client.server(home.serverId).libraries();
    expect(begins(home.asked)).toBe(1);
  });

  test('fails when the clock is still wrong after the correction', async () => {
    const { paired, servers } = await createWorld();
    const [home] = servers;
    home.instead = ({ path }) =>
      path.endsWith('/complete')
        ? { status: 401, body: { error: 'unauthorized', code: 'clock_skew', serverTime: 1 } }
        : undefined;
    const { client } = await paired();
    expect(client.state().servers[0]).toMatchObject({
      status: 'offline',
      error: { code: 'clock_skew' },
    });
    expect(begins(home.asked)).toBe(2);
  });

  test('uses the id from the list: another server at the address gets nothing', async () => {
    const { paired, servers, broker } = await createWorld();
    const [home, cabin] = servers;
    broker.servers = [{ ...home.listed, baseUrl: cabin.listed.baseUrl }, cabin.listed];
    const { client } = await paired();
    expect(client.state().servers).toMatchObject([
      { status: 'offline', error: { code: 'wrong_server' } },
      { status: 'online' },
    ]);
  });

  test('does not follow redirects, so that no other host gets the pass', async () => {
    const { paired, servers } = await createWorld();
    const [home, cabin] = servers;
    home.instead = () => ({ status: 307, headers: { location: cabin.listed.baseUrl } });
    const { client } = await paired();
    expect(client.state().servers[0]).toMatchObject({
      status: 'offline',
      error: { code: 'unreachable' },
    });
  });

  test.each([
    { sessionToken: 'has a\r\nline', expiresAt: '2026-11-22T00:00:00.000Z' },
    { sessionToken: 'vti_0123456789', expiresAt: 'tomorrow' },
    { expiresAt: '2026-11-22T00:00:00.000Z' },
  ])('refuses a malformed session: %j', async (body) => {
    const { paired, servers } = await createWorld();
    servers[0].instead = ({ path }) => (path.endsWith('/complete') ? { body } : undefined);
    const { client } = await paired();
    expect(client.state().servers[0]?.error?.code).toBe('bad_reply');
  });
});

describe('a server that does not answer', () => {
  test('is offline, is retried at growing intervals, and reconnects automatically', async () => {
    const { paired, servers, clock } = await createWorld();
    const [home, cabin] = servers;
    await home.down();
    const { client, events } = await paired();
    expect(client.state().servers).toMatchObject([
      { name: 'Home', status: 'offline', error: { code: 'unreachable' } },
      { name: 'Cabin', status: 'online', error: null },
    ]);
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const wait = (client.state().servers[0]?.retryAt ?? 0) - clock.now();
      waits.push(wait);
      await clock.advance(wait);
    }
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(0.8 * 5_000 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(1.2 * 5_000 * 2 ** index);
    }
    expect(cabin.asked.length).toBe(2);

    await home.up();
    await clock.advance(120_000);
    expect(client.state().servers[0]).toMatchObject({
      status: 'online',
      error: null,
      retryAt: null,
    });
    expect(events.at(-1)).toMatchObject({ type: 'server_changed', server: { status: 'online' } });
    expect(clock.timers()).toBe(1);
  });

  test('is retried immediately when the app sends a request, which fails with the reason', async () => {
    const { paired, servers } = await createWorld();
    const [home] = servers;
    const { client } = await paired();
    await home.down();
    expect(await client.server(home.serverId).items().catch(code)).toBe('unreachable');
    expect(client.state().servers[0]?.status).toBe('offline');
    await home.up();
    expect(await client.server(home.serverId).items()).toMatchObject({ nextCursor: null });
    expect(client.state().servers[0]?.status).toBe('online');
  });

  test.each([
    [401, 'identity_unknown'],
    [401, 'identity_relink_required'],
    [403, 'account_disabled'],
    [403, 'scope_denied'],
    [404, 'identity_disabled'],
    [401, 'cert_not_yet_valid'],
  ])(
    'that replies %i %s stays in the list, offline, and the account stays',
    async (status, told) => {
      const { paired, servers, clock } = await createWorld();
      servers[0].instead = () => ({ status, body: { error: 'unauthorized', code: told } });
      const { client } = await paired();
      expect(client.state()).toMatchObject({
        status: 'signed_in',
        servers: [{ status: 'offline', error: { code: told } }, { status: 'online' }],
      });
      servers[0].instead = null;
      await clock.advance(20 * 60_000);
      expect(client.state().servers[0]?.status).toBe('online');
    },
  );

  test('that requests a wait is retried after it', async () => {
    const { paired, servers, clock } = await createWorld();
    servers[0].instead = () => ({
      status: 429,
      body: { error: 'rate_limited', code: 'rate_limited' },
      headers: { 'retry-after': '120' },
    });
    const { client } = await paired();
    const { retryAt } = client.state().servers[0] ?? {};
    expect((retryAt ?? 0) - clock.now()).toBeGreaterThanOrEqual(117_000);
  });
});

describe('a request', () => {
  test('sends the session in its header, only to the server of the session', async () => {
    const { paired, servers } = await createWorld();
    const [home] = servers;
    const { client } = await paired();
    let seen: unknown;
    home.instead = ({ headers, path }) => {
      seen = { authorization: headers.authorization, profile: headers['x-profile-id'], path };
      return { body: {} };
    };
    await client.server(home.serverId).fetch('/api/x', { headers: { 'x-profile-id': 'kids' } });
    expect(seen).toEqual({
      authorization: expect.stringMatching(/^Bearer vti_a/),
      profile: 'kids',
      path: '/api/x',
    });
    const away = client.server(home.serverId).fetch('@evil.example/');
    expect(await away.catch(code)).toBe('invalid_request');
  });

  test('that fails has the status and code', async () => {
    const { paired, servers } = await createWorld();
    const [home] = servers;
    const { client } = await paired();
    home.instead = () => ({ status: 403, body: { error: 'PIN needed', code: 'profile_locked' } });
    const failed = await client
      .server(home.serverId)
      .json('/api/x')
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({
      name: 'IdentityError',
      code: 'request_failed',
      details: { status: 403, wireCode: 'profile_locked' },
    });
  });

  test('that is refused for a reason other than the session is not repeated', async () => {
    const { paired, servers } = await createWorld();
    const [home] = servers;
    const { client } = await paired();
    home.asked.length = 0;
    home.instead = () => ({ status: 401, body: { error: 'Wrong.', code: 'wrong_password' } });
    expect((await client.server(home.serverId).fetch('/api/x')).status).toBe(401);
    expect(home.asked).toEqual(['/api/x']);
  });

  test('that the app aborts leaves the server online', async () => {
    const { paired, servers } = await createWorld();
    const { client } = await paired();
    const stop = AbortSignal.abort();
    const request = client.server(servers[0].serverId).fetch('/api/items', { signal: stop });
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
    expect(client.state().servers[0]?.status).toBe('online');
  });
});

describe('identity_revoked', () => {
  const nothingIsLeft = async (
    { store, keys }: Awaited<ReturnType<typeof createWorld>>,
    ids: readonly string[],
  ): Promise<void> => {
    expect(await keys.load()).toBeNull();
    const names = ['membership', 'pairings', ...ids.map((id) => `session.${id}`)];
    for (const name of names) expect(await store.getItem(`vitrine.${name}`)).toBeNull();
  };

  test('on a request deletes everything, reports that pairing is needed, and stops all retries', async () => {
    const world = await createWorld();
    const { paired, servers, clock, app } = world;
    const { client, types } = await paired();
    servers.forEach((one) => {
      one.revoked = true;
      one.asked.length = 0;
    });

    const refused = await client.server(servers[0].serverId).items().catch(code);

    expect(refused).toBe('identity_revoked');
    expect(types().filter((type) => type === 'paired_again_needed')).toHaveLength(1);
    expect(client.state()).toMatchObject({
      status: 'pairing_needed',
      reason: 'revoked',
      account: null,
      servers: [],
    });
    await nothingIsLeft(
      world,
      servers.map(({ serverId }) => serverId),
    );
    expect(servers[0].asked).toEqual(['/api/items']);
    await clock.advance(40 * dayMs);
    expect(servers.map(({ asked }) => asked.length)).toEqual([1, 0]);
    expect(clock.timers()).toBe(0);
    // The state is the same after a restart, until the device is paired.
    expect((await app()).client.state()).toMatchObject({ reason: 'revoked' });
  });

  test('on a sign-in does the same, once, also when two servers reply so at once', async () => {
    const world = await createWorld();
    const { paired, servers, clock } = world;
    const { client, types } = await paired();
    servers.forEach((one) => {
      one.revoked = true;
      one.endSessions();
    });
    const both = servers.map(({ serverId }) => client.server(serverId));

    const refused = await Promise.all(both.map((one) => one.items().catch(code)));

    expect(refused).toContain('identity_revoked');
    await clock.settle();
    expect(types().filter((type) => type === 'paired_again_needed')).toHaveLength(1);
    await nothingIsLeft(
      world,
      servers.map(({ serverId }) => serverId),
    );
  });

  test('requires a pairing with a new key', async () => {
    const { paired, servers, broker, clock } = await createWorld();
    const { client } = await paired();
    servers[0].revoked = true;
    await client.server(servers[0].serverId).items().catch(code);
    servers[0].revoked = false;
    const pairing = await client.pairByCode();
    await broker.approve();
    await clock.advance(3_000);
    await pairing.done;
    const [first, second] = broker.begun;
    expect(first?.['clientPubKey']).not.toBe(second?.['clientPubKey']);
    expect(client.state()).toMatchObject({ status: 'signed_in', reason: null });
  });
});

describe('a restart', () => {
  test('reuses the stored sessions, with one request to each server', async () => {
    const { paired, app, servers, clock } = await createWorld();
    const first = await paired();
    first.client.stop();
    servers.forEach(({ asked }) => {
      asked.length = 0;
    });

    const { client } = await app();
    await clock.settle();
    expect(client.state()).toMatchObject({
      status: 'signed_in',
      account: { userId: 'u_ada' },
      servers: [{ status: 'online' }, { status: 'online' }],
    });
    expect(servers.map(({ asked }) => asked)).toEqual([
      ['/api/auth/identity/me'],
      ['/api/auth/identity/me'],
    ]);
  });

  test('sends one request to each server when the app connects several times', async () => {
    const { paired, app, servers } = await createWorld();
    (await paired()).client.stop();
    servers.forEach(({ asked }) => {
      asked.length = 0;
    });
    const { client } = await app();
    await Promise.all([client.connect(), client.connect(), client.connect()]);
    expect(servers.map(({ asked }) => asked.length)).toEqual([1, 1]);
  });

  test('creates new sessions where the old ones have ended', async () => {
    const { paired, app, servers, clock } = await createWorld();
    (await paired()).client.stop();
    servers[0].endSessions();
    const { client } = await app();
    await clock.settle();
    expect(client.state().servers).toMatchObject([{ status: 'online' }, { status: 'online' }]);
    expect(begins(servers[0].asked)).toBe(2);
    expect(begins(servers[1].asked)).toBe(1);
  });

  test('ignores the content of a manipulated store', async () => {
    const { paired, app, store, clock } = await createWorld();
    (await paired()).client.stop();
    const text = (await store.getItem('vitrine.membership')) ?? '';
    const stored = JSON.parse(text) as { cert: { sig: string } };
    const { sig } = stored.cert;
    stored.cert.sig = `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}`;
    await store.setItem('vitrine.membership', JSON.stringify(stored));
    const { client } = await app();
    expect(client.state().status).not.toBe('signed_in');
    expect(clock.timers()).toBe(0);
  });

  test('without the key of the device reports that pairing is needed', async () => {
    const { paired, app, keys } = await createWorld();
    (await paired()).client.stop();
    await keys.remove();
    expect((await app()).client.state()).toMatchObject({
      status: 'pairing_needed',
      reason: 'key_lost',
    });
  });
});

test('a store that fails to save a session leaves the server online', async () => {
  const { app, store, broker, clock } = await createWorld();
  const { client } = await app({
    store: {
      ...store,
      setItem: (key, text) => {
        if (key.startsWith('vitrine.session')) throw new Error('QuotaExceededError');
        return store.setItem(key, text);
      },
    },
  });
  const pairing = await client.pairByCode();
  await broker.approve();
  await clock.advance(3_000);
  await pairing.done;
  await clock.settle();
  expect(client.state().servers.map(({ status }) => status)).toEqual(['online', 'online']);
});

test('a store that always fails is reported as store_failed', async () => {
  const { app, store } = await createWorld();
  const { client } = await app({
    store: {
      ...store,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    },
  });
  expect(await client.pairByCode().catch(code)).toBe('store_failed');
});

describe('signing out', () => {
  test('during a pairing by code cancels it, and stops polling', async () => {
    const { paired, broker, clock } = await createWorld();
    const { client } = await paired();
    const pairing = await client.pairByCode();
    await client.signOut();
    expect(await pairing.done.catch(code)).toBe('cancelled');
    expect(client.state()).toMatchObject({ status: 'signed_out', pairing: null });
    const polls = broker.polls.length;
    await clock.advance(60_000);
    expect(broker.polls.length).toBe(polls);
  });

  test('ends the sessions at the servers and removes everything here', async () => {
    const { paired, servers, keys, store, clock } = await createWorld();
    const { client, types } = await paired();
    await client.signOut();
    expect(servers.map(({ asked }) => asked.at(-1))).toEqual([
      '/api/auth/logout',
      '/api/auth/logout',
    ]);
    expect(client.state()).toMatchObject({ status: 'signed_out', account: null, servers: [] });
    expect(types().at(-1)).toBe('signed_out');
    expect(await keys.load()).toBeNull();
    expect(await store.getItem('vitrine.membership')).toBeNull();
    expect(clock.timers()).toBe(0);
  });
});
