/**
 * One identity, one app, two whole servers and a broker, without a browser: from the code on a
 * television to the day on which its last pass ends.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createClient,
  createMemoryKeyStore,
  createMemoryStore,
  type Client,
} from '../../packages/app/client/index.ts';
import type { SignedObject } from '../../packages/lib/identity-protocol/index.ts';
import { eventually } from '../support/eventually.ts';
import { good, verdictOf } from '../support/identity/ask.ts';
import { claimsOf } from '../support/identity/device.ts';
import type { HomeServer } from '../support/identity/home-server.ts';
import {
  appId,
  callbackUrl,
  linkHome,
  openIdentityHousehold,
  type IdentityHousehold,
} from '../support/identity/household.ts';
import { registerPerson, type Person } from '../support/identity/person.ts';

const films = { Attic: ['Alien (1979)'], Cellar: ['Brazil (1985)', 'Contact (1997)'] };
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let house: IdentityHousehold;
const clients: Client[] = [];

beforeAll(async () => {
  house = await openIdentityHousehold({ films });
});

afterAll(async () => {
  for (const client of clients) client.stop();
  await house?.stop();
});

// Further than any window of a rate, so that no test is limited by the one before it.
beforeEach(async () => {
  await house.clock.advance(11 * minuteMs);
  good(await house.ada.signIn());
});

/** The SDK, as an app on a television starts it. */
function newClient(): Client {
  const { broker, clock } = house;
  const client = createClient({
    ...{ appId, identityUrl: broker.identityUrl, deviceName: 'Living room', platform: 'tv' },
    ...{ keys: createMemoryKeyStore(), store: createMemoryStore(), clock },
  });
  clients.push(client);
  return client;
}

/** Lets time pass in steps of a poll until a promise is settled. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  await eventually('it is settled', async () => {
    await house.clock.advance(500);
    return isSettled;
  });
  return promise;
}

/** An app that is paired by code and signed in everywhere. */
async function pairedClient(person: Person = house.ada): Promise<Client> {
  const client = newClient();
  await client.start();
  const pairing = await client.pairByCode();
  good(await person.approve(await person.typeCode(pairing.code.replace(/\D/g, ''))));
  await inTime(pairing.done);
  await client.connect();
  return client;
}

const me = (home: HomeServer, token: string) => home.ask('/api/auth/identity/me', { token });

/** What the home says of the token, once it has read the feed. */
async function heard(home: HomeServer, token: string): Promise<string> {
  await eventually(`${home.name} has heard`, async () => (await me(home, token)).status !== 200);
  return verdictOf(await me(home, token));
}

describe('an app', () => {
  test('pairs by code, and shows what is on both servers, in the order of the user', async () => {
    const client = await pairedClient();

    const { status, account, servers } = client.state();
    expect(status).toBe('signed_in');
    expect(account).toMatchObject({ userPubKey: house.ada.account().userPubKey });
    expect(servers).toMatchObject([
      { name: 'Attic', baseUrl: house.attic.url, status: 'online', isPlainHttp: true },
      { name: 'Cellar', baseUrl: house.cellar.url, status: 'online' },
    ]);
    const titles = await Promise.all(
      client
        .servers()
        .map(async (server) => (await server.items()).items.map(({ title }) => title)),
    );
    expect(titles).toEqual([['Alien'], ['Brazil', 'Contact']]);
  });

  test('pairs in a browser, by a callback that it started and by no other', async () => {
    const client = newClient();
    await client.start();
    const { url } = await client.pairByBrowser({ callbackUrl });
    const requestId = url.split('/').at(-1) ?? '';
    const stray = `${callbackUrl}?requestId=${'A'.repeat(32)}&result=ok`;
    await expect(client.finishPairing(stray)).rejects.toMatchObject({ code: 'callback_unknown' });

    const { redirect } = good(await house.ada.approve(requestId));
    const account = await inTime(client.finishPairing(String(redirect)));

    expect(account.userPubKey).toBe(house.ada.account().userPubKey);
    await client.connect();
    expect(client.state().servers.map(({ status }) => status)).toEqual(['online', 'online']);
  });

  test('does on each server what the linked account may do there, and nothing more', async () => {
    const { device, cert } = await house.pair();
    const token = await device.signIn(house.attic, cert);
    const local = house.locals['Attic'];

    expect((await me(house.attic, token)).body).toMatchObject({
      ...claimsAsTold(cert),
      localUserId: local?.id,
      role: 'user',
    });
    expect((await house.attic.ask('/api/items', { token })).status).toBe(200);
    expect((await house.attic.ask('/api/users', { token })).status).toBe(403);
    expect(verdictOf(await house.attic.ask('/api/items', { token: '' }))).toBe('401 token_missing');
    const odd = `vti_${'A'.repeat(43)}`;
    expect(verdictOf(await house.attic.ask('/api/items', { token: odd }))).toBe(
      '401 token_invalid',
    );
  });

  test('has a session for a day, and then signs in again without anybody', async () => {
    const { device, cert } = await house.pair();
    const token = await device.signIn(house.attic, cert);
    await house.clock.advance(dayMs);

    expect(verdictOf(await me(house.attic, token))).toBe('401 token_expired');
    expect(await device.signIn(house.attic, cert)).toMatch(/^vti_/);
  });

  test('goes on with the servers while the broker is down', async () => {
    const { device, cert } = await house.pair();

    await house.broker.pause();
    try {
      const token = await device.signIn(house.cellar, cert);
      await house.feedInterval();

      expect((await me(house.cellar, token)).status).toBe(200);
      expect((await house.cellar.ask('/api/health', { token: '' })).status).toBe(200);
    } finally {
      await house.broker.resume();
    }
  });

  test('is refused by a server that the user unticked, and by no other', async () => {
    const { attic, cellar, ada } = house;
    const { device, cert, servers } = await house.pair(undefined, ada, {
      ticked: [attic.serverId],
    });
    expect(servers.map(({ name }) => name)).toEqual(['Attic']);
    await house.feedInterval();
    await eventually(
      'the Cellar has heard',
      async () => (await device.begin(cellar, cert)).status === 401,
    );

    expect(verdictOf(await device.begin(cellar, cert))).toBe('401 identity_revoked');
    expect(await device.signIn(attic, cert)).toMatch(/^vti_/);
  });
});

const claimsAsTold = (cert: SignedObject) => {
  const { userId, userPubKey, clientId, deviceName, scope, exp } = claimsOf(cert);
  return { userId, userPubKey, clientId, appId, deviceName, scope, certExp: exp };
};

describe('a device that is revoked', () => {
  test('is refused by each server within one interval of the feed, and the app forgets its user', async () => {
    const client = await pairedClient();
    const { device, cert, clientId } = await house.pair();
    const tokens = [
      await device.signIn(house.attic, cert),
      await device.signIn(house.cellar, cert),
    ];
    const account = client.state().account;

    good(await house.ada.revoke(clientId));
    good(await house.ada.revoke(account?.clientId ?? ''));
    await house.feedInterval();

    expect(await heard(house.attic, tokens[0] ?? '')).toBe('401 identity_revoked');
    expect(await heard(house.cellar, tokens[1] ?? '')).toBe('401 identity_revoked');
    await client
      .server(house.attic.serverId)
      .items()
      .catch(() => undefined);
    await eventually('the app has cleared its state', () => client.state().account === null);
    expect(client.state()).toMatchObject({ status: 'pairing_needed', reason: 'revoked' });
  });
});

describe('a link', () => {
  test('that ends on the server ends its sessions at once', async () => {
    const { attic } = house;
    const bob = await registerPerson('bob', { ...house.broker, clock: house.clock });
    const local = await attic.join('Bob');
    await linkHome(attic, local, bob);
    const { device, cert } = await house.pair(undefined, bob);
    const token = await device.signIn(attic, cert);
    const { links } = good(await attic.ask('/api/identity/links', { token: local.token })) as {
      readonly links: readonly { readonly id: string; readonly state: string }[];
    };

    const [link] = links.filter(({ state }) => state === 'active');
    const ended = await attic.ask(`/api/identity/links/${link?.id ?? ''}`, {
      method: 'DELETE',
      token: local.token,
    });

    expect(ended.status).toBeLessThan(300);
    expect((await me(attic, token)).status).toBe(401);
    expect(verdictOf(await device.begin(attic, cert))).toBe('401 identity_unknown');
  });

  test('that ends at the broker ends on the server within one interval of the feed', async () => {
    const { attic, cellar } = house;
    const carol = await registerPerson('carol', { ...house.broker, clock: house.clock });
    for (const home of [attic, cellar]) await linkHome(home, await home.join('Carol'), carol);
    const { device, cert } = await house.pair(undefined, carol);
    const token = await device.signIn(attic, cert);
    const other = await device.signIn(cellar, cert);

    good(await carol.unlink(attic.serverId));
    await house.feedInterval();

    expect(await heard(attic, token)).toMatch(/^401 /);
    expect(verdictOf(await device.begin(attic, cert))).toBe('401 identity_unknown');
    expect((await me(cellar, other)).status).toBe(200);
  });

  test('of an account that is switched off opens nothing: account_disabled', async () => {
    const { attic } = house;
    const dan = await registerPerson('dan', { ...house.broker, clock: house.clock });
    const local = await attic.join('Dan');
    await linkHome(attic, local, dan);
    const { device, cert } = await house.pair(undefined, dan);
    const token = await device.signIn(attic, cert);
    const disable = (disabled: boolean) =>
      attic.ask(`/api/users/${local.id}`, { method: 'PATCH', body: { disabled } });

    good(await disable(true));
    expect((await me(attic, token)).status).toBe(401);
    expect(verdictOf(await device.begin(attic, cert))).toBe('403 account_disabled');

    good(await disable(false));
    expect(await device.signIn(attic, cert)).toMatch(/^vti_/);
  });
});

describe('a key that is changed', () => {
  test('is followed where a user linked it, and by the app with the record; an admin links again', async () => {
    const { attic, cellar, clock } = house;
    const erin = await registerPerson('erin', { ...house.broker, clock });
    await linkHome(attic, await attic.join('Erin'), erin);
    await linkHome(cellar, await cellar.join('Erin', 'admin'), erin);
    const { device, cert } = await house.pair(undefined, erin);
    const before = erin.account().userPubKey;

    good(await erin.rotate());
    await house.feedInterval();
    await eventually(
      'the Cellar has heard',
      async () => (await device.begin(cellar, cert)).status === 401,
    );

    expect(verdictOf(await device.begin(cellar, cert))).toBe('401 identity_relink_required');
    const renewed = good(await device.renew(cert)) as {
      readonly cert: SignedObject;
      readonly rotation: { readonly payload: string };
    };
    expect(claimsOf(renewed.cert)['userPubKey']).toBe(erin.account().userPubKey);
    expect(claimsOf(renewed.rotation as SignedObject)).toMatchObject({
      kind: 'key-rotation',
      userPubKey: before,
      newPubKey: erin.account().userPubKey,
    });
    await eventually(
      'the Attic has heard',
      async () => (await device.begin(attic, renewed.cert)).status === 200,
    );
    expect((await device.begin(attic, cert)).status).toBe(200);

    await clock.advance(8 * dayMs);
    expect(verdictOf(await device.begin(attic, cert))).toBe('401 identity_rotated');
    expect(await device.signIn(attic, renewed.cert)).toMatch(/^vti_/);
  });

  test('that says of itself that it is lost stops everything until it is linked again', async () => {
    const { attic, clock } = house;
    const fay = await registerPerson('fay', { ...house.broker, clock });
    await linkHome(attic, await attic.join('Fay'), fay);
    const { device, cert } = await house.pair(undefined, fay);
    const token = await device.signIn(attic, cert);

    good(await fay.revokeKey());
    await house.feedInterval();

    expect(await heard(attic, token)).toMatch(/^401 /);
    expect(verdictOf(await device.begin(attic, cert))).toBe('401 identity_relink_required');
  });
});

describe('a device whose user never comes to the broker', () => {
  test('renews six times, each 31 days, then waits, and ends on day 240', async () => {
    const { clock, attic } = house;
    const paired = await house.pair();
    const { device } = paired;
    let { cert } = paired;
    const start = clock.now();
    expect(verdictOf(await device.renew(cert))).toBe('409 renewal_too_early');

    const statuses: number[] = [];
    for (let month = 0; month < 7; month += 1) {
      await clock.advance(31 * dayMs);
      const answer = await device.renew(cert);
      statuses.push(answer.status);
      if (answer.status === 200) ({ cert } = answer.body as { readonly cert: SignedObject });
    }

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 202]);
    const endsAt = Number(claimsOf(cert)['exp']) * 1000;
    expect(Math.round((endsAt - start) / dayMs)).toBe(240);
    expect(await device.signIn(attic, cert)).toMatch(/^vti_/);
    await clock.advance(endsAt - clock.now());
    expect(verdictOf(await device.begin(attic, cert))).toBe('401 cert_expired');
    expect(verdictOf(await device.renew(cert))).toBe('401 cert_expired');
  });

  test('goes on when the user comes once: the page signs what is missing, and nothing twice', async () => {
    const { ada, clock } = house;
    const { device, cert, clientId } = await house.pair();
    const passes = async () =>
      (await ada.clients()).find((one) => one.clientId === clientId)?.iats.length;
    await clock.advance(59 * dayMs);
    good(await ada.signIn());
    const before = await passes();
    good(await ada.topUp());

    expect(await passes()).toBeGreaterThan(before ?? 0);
    const after = await passes();
    good(await ada.topUp());
    expect(await passes()).toBe(after);
    const renewed = await device.renew(cert);
    expect(renewed.status).toBe(200);
  });
});
