/**
 * Every row of the threat table of the identity protocol, over a real broker and two whole servers.
 * Each attack gets its exact code, and the same request without the attack succeeds.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  isClockFair,
  newPassphraseSecret,
  openVault,
  passkeySecret,
  passphraseSecret,
  recoveryAuth,
  recoverySecret,
  signServerList,
  sortClients,
  topUp,
  withSecret,
} from '../../packages/app/broker/signing/index.ts';
import { usualLimits } from '../../packages/app/broker/index.ts';
import type { ApproveBody, Recovery } from '../../packages/app/broker/service/web-api.ts';
import { checkPass, checkServerList } from '../../packages/app/client/pass-check.ts';
import {
  publicKeyOf,
  sealSigned,
  signWith,
  type SignedObject,
} from '../../packages/lib/identity-protocol/index.ts';
import flow from '../../packages/lib/identity-protocol/vectors/flow.json' with { type: 'json' };
import malformed from '../../packages/lib/identity-protocol/vectors/malformed.json' with { type: 'json' };
import { makePasskey } from '../support/people/authenticator.ts';
import { eventually } from '../support/eventually.ts';
import { ask, good, textOf, verdictOf } from '../support/identity/ask.ts';
import { claimsOf, createDevice } from '../support/identity/device.ts';
import {
  appId,
  beginLink,
  callbackUrl,
  linkHome,
  lookAtLink,
  openIdentityHousehold,
  pairedFrom,
  type IdentityHousehold,
  type PairedDevice,
} from '../support/identity/household.ts';
import { registerPerson, type Person } from '../support/identity/person.ts';
import { openTestBroker } from '../support/identity/test-broker.ts';

let house: IdentityHousehold;
/** A device that nothing is done to. */
let living: PairedDevice;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

beforeAll(async () => {
  house = await openIdentityHousehold();
  living = await house.pair();
});

afterAll(() => house?.stop());

// Further than any window of a rate, so that no test is limited by the one before it.
beforeEach(async () => {
  await house.clock.advance(11 * minuteMs);
  good(await house.ada.signIn());
});

const newPerson = (handle: string): Promise<Person> => registerPerson(handle, placeOf(house));
const placeOf = ({ broker: { identityUrl }, clock }: IdentityHousehold) => ({ identityUrl, clock });

/** A key that anybody could have made, with what it signs. */
async function stranger(digit = '7') {
  const seed = Buffer.alloc(32, digit);
  const sign = (bytes: Uint8Array): Promise<Uint8Array> => signWith(seed, bytes);
  return { publicKey: await publicKeyOf(seed), sign };
}

/** Signs other claims than those of the pass, with any key. */
async function forged(
  cert: SignedObject,
  changes: Readonly<Record<string, unknown>>,
): Promise<SignedObject> {
  const { sign } = await stranger();
  return sealSigned({ ...claimsOf(cert), ...changes }, sign);
}

describe('row 1: a thief of the broker’s database', () => {
  test('finds no secret in any column', async () => {
    const { ada, broker } = house;
    const kept = await broker.kept();
    const raw = await crypto.subtle.exportKey('raw', ada.opened().vaultKey);
    const secrets = [
      ...[Buffer.from(ada.passkey.prf), Buffer.from(raw)],
      ...[Buffer.from(ada.recoveryCode), Buffer.from(await recoveryAuth(ada.recoveryCode))],
    ];

    expect(kept).toContain(ada.account().userPubKey);
    for (const secret of secrets)
      for (const form of ['latin1', 'hex', 'base64', 'base64url'] as const)
        expect(kept).not.toContain(secret.toString(form).replace(/=+$/, ''));
  });

  test('opens no vault: a passkey of somebody else, or a guess, leaves it shut', async () => {
    const { ada } = house;
    const { vault } = ada.opened();
    const account = ada.account();
    const open = (secret: ReturnType<typeof passkeySecret>) =>
      openVault(vault, { account, secret, purpose: 'sign' });
    const guess = new Uint8Array(32);

    expect(await open(passkeySecret('another-passkey', ada.passkey.prf))).toBe('vault_locked');
    expect(await open(passkeySecret(ada.passkey.id, guess))).toBe('wrong_secret');
    expect(await open(recoverySecret('0'.repeat(26)))).toBe('wrong_secret');

    for (const secret of [
      passkeySecret(ada.passkey.id, ada.passkey.prf),
      recoverySecret(ada.recoveryCode),
    ]) {
      const opened = await open(secret);
      expect(typeof opened === 'object' && opened.identity.userPubKey).toBe(account.userPubKey);
    }
  });
});

describe('row 2: a thief of passes that were made in advance', () => {
  test('cannot use them: before their time cert_not_yet_valid, and bad_signature at any', async () => {
    const { attic } = house;
    let ahead: readonly SignedObject[] = [];
    const keep = (body: ApproveBody): ApproveBody => {
      ahead = body.batch;
      return body;
    };
    const paired = await house.pair(await house.newDevice(), house.ada, { change: keep });
    const thief = await house.newDevice();
    expect(ahead).toHaveLength(6);

    for (const pass of ahead)
      expect(verdictOf(await thief.begin(attic, pass))).toBe('401 cert_not_yet_valid');
    expect(verdictOf(await thief.complete(attic, paired.cert))).toBe('401 bad_signature');

    expect(await paired.device.signIn(attic, paired.cert)).toMatch(/^vti_/);
  });
});

describe('row 3: a thief who guesses the passphrase', () => {
  test('is not helped by a vault that asks for less than argon2id with 64 MiB', async () => {
    const { ada } = house;
    const phrase = 'abandon ability able about above absent';
    const made = await newPassphraseSecret(phrase);
    const { vault } = await withSecret(ada.opened(), made);
    const wrap = vault.wraps.find(({ type }) => type === 'passphrase');
    const kdf = { m: 65_536, t: 3, p: 1 };
    expect(wrap?.kdf).toEqual(kdf);
    const { ref } = made;

    for (const weaker of [
      { ...kdf, m: 19_456 },
      { ...kdf, t: 1 },
      { ...kdf, p: 0 },
    ])
      expect(await passphraseSecret(phrase, { ref, kdf: weaker })).toBe('weak_kdf');
    expect(await passphraseSecret(phrase, { ref })).toBe('weak_kdf');

    const again = await passphraseSecret(phrase, { ref, kdf });
    expect(typeof again === 'object' && Buffer.from(again.ikm)).toEqual(Buffer.from(made.ikm));
  });
});

describe('row 4: a broker that slips a client among those of a user', () => {
  test('gets no pass for it: the page signs for clients alone that its own key signed before', async () => {
    const { ada } = house;
    const identity = ada.opened().identity;
    const views = await ada.clients();
    const known = views.find(({ clientId }) => clientId === living.clientId);
    if (known === undefined) throw new Error('The device is not listed.');
    const clientId = '9b2f1c4e-5a6d-4e7f-8a9b-0c1d2e3f4a5b';
    const own = { ...known, iats: [] };
    const injected = { ...own, clientId, cert: await forged(living.cert, { clientId }) };
    const renamed = { ...own, clientId };

    const { own: found, strange } = await sortClients(identity, [own, injected, renamed], []);

    expect(found.map(({ client }) => client.clientId)).toEqual([living.clientId]);
    expect(strange).toEqual([clientId, clientId]);
    const { passes } = await topUp(identity, found, Math.floor(house.clock.now() / 1000));
    expect(passes).toHaveLength(7);
    expect(new Set(passes.map((pass) => claimsOf(pass)['clientId']))).toEqual(
      new Set([living.clientId]),
    );
  });
});

describe('row 5: a broker that swaps', () => {
  test('the address of a server: servers_mismatch', async () => {
    const { claims } = await checkPass(living.cert, ownerOf(living));
    const { serverList, servers } = living;
    const swapped = servers.map((one) => ({ ...one, baseUrl: 'https://evil.example.org' }));

    await expect(checkServerList({ serverList, servers: swapped }, claims)).rejects.toMatchObject({
      code: 'servers_mismatch',
    });

    const list = await checkServerList({ serverList, servers }, claims);
    expect(list.servers.map(({ baseUrl }) => baseUrl)).toEqual(house.homes.map(({ url }) => url));
  });

  test('the key in a vault: it does not open', async () => {
    const { ada } = house;
    const { vault } = ada.opened();
    const account = ada.account();
    const secret = passkeySecret(ada.passkey.id, ada.passkey.prf);
    const { publicKey } = await stranger();
    const swapped = { ...vault, key: { ...vault.key, userPubKey: publicKey } };
    const open = (what: typeof vault, userPubKey: string) =>
      openVault(what, { account: { ...account, userPubKey }, secret, purpose: 'sign' });

    expect(await open(swapped, account.userPubKey)).toBe('vault_altered');
    expect(await open(swapped, publicKey)).toBe('vault_altered');
    expect(await open({ ...vault, rev: vault.rev + 1 }, account.userPubKey)).toBe('vault_altered');

    expect(typeof (await open(vault, account.userPubKey))).toBe('object');
  });

  test('the time: the page signs nothing when it is more than ten minutes off', () => {
    const now = house.clock.now();

    expect(isClockFair(now + 11 * minuteMs, now)).toBe(false);
    expect(isClockFair(now - 11 * minuteMs, now)).toBe(false);

    expect(isClockFair(now + 9 * minuteMs, now)).toBe(true);
  });
});

const ownerOf = ({ device }: PairedDevice) => ({ appId, clientPubKey: device.publicKey });

describe('row 6: a broker that forges a revocation', () => {
  test('is not believed: the record is skipped, and the next true one is not', async () => {
    const { ada, attic, broker, clock } = house;
    const paired = await house.pair();
    const token = await paired.device.signIn(attic, paired.cert);
    const { userId, userPubKey } = ada.account();
    const { sign } = await stranger();
    const iat = Math.floor(clock.now() / 1000);
    const { clientId } = paired;
    const record = { kind: 'revocation', v: 1, iat, userId, userPubKey, clientId };
    const forgery = {
      record: await sealSigned(record, sign),
      kind: 'revocation',
      userId,
      clientId,
    };
    await broker.plant([forgery]);
    const other = await house.pair();
    const otherToken = await other.device.signIn(attic, other.cert);
    good(await ada.revoke(other.clientId));

    await house.feedInterval();
    const me = (asked: string) => attic.ask('/api/auth/identity/me', { token: asked });
    await eventually(
      'the server has read what stands behind the forged record',
      async () => (await me(otherToken)).status === 401,
    );

    expect(verdictOf(await me(otherToken))).toBe('401 identity_revoked');
    expect((await me(token)).status).toBe(200);
  });
});

describe('row 7: a broker whose pages are to run other scripts', () => {
  test('has pages under a policy that runs only their own scripts, and that no site can frame', async () => {
    const { identityUrl } = house.broker;
    for (const page of ['/', '/pair', '/recover', '/developer']) {
      const reply = await ask(identityUrl + page);
      const policy = reply.headers.get('content-security-policy') ?? '';

      expect(reply.status).toBe(200);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*|data:/);
      expect(reply.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
  });

  test('serves the very bytes whose hashes are published', async () => {
    const { identityUrl, pages } = house.broker;
    const listed = JSON.parse(readFileSync(path.join(pages, 'bundle.json'), 'utf8')) as unknown;
    const hashes = new Map(hashesIn(listed));
    expect(hashes.size).toBeGreaterThan(3);
    for (const [name, hash] of hashes) {
      if (name.endsWith('.html')) continue;
      const reply = await fetch(`${identityUrl}/pages/${name}`);
      const digest = await crypto.subtle.digest('SHA-256', await reply.arrayBuffer());
      expect(`${name} ${hash}`).toContain(Buffer.from(digest).toString('hex'));
    }
  });
});

/** Names and hashes, however deep they lie. */
function hashesIn(listed: unknown): readonly (readonly [string, string])[] {
  if (typeof listed !== 'object' || listed === null) return [];
  return Object.entries(listed).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[key, value] as const] : hashesIn(value),
  );
}

describe('row 8: a thief of a pass', () => {
  test('cannot sign in without the key of the device: bad_signature', async () => {
    const thief = await house.newDevice();

    expect(verdictOf(await thief.complete(house.attic, living.cert))).toBe('401 bad_signature');

    const { status } = await living.device.complete(house.attic, living.cert);
    expect(status).toBe(200);
  });
});

describe('row 9: an attacker who repeats what was sent', () => {
  test('gets no second session for a challenge: challenge_invalid', async () => {
    const { attic, clock } = house;
    const { device, cert } = living;
    const challenge = textOf(await device.begin(attic, cert), 'challenge');
    const same = { challenge, ts: clock.now() };

    expect((await device.complete(attic, cert, same)).status).toBe(200);
    expect(verdictOf(await device.complete(attic, cert, same))).toBe('401 challenge_invalid');
  });

  test('gets one session for twenty at once', async () => {
    const { attic } = house;
    const { device, cert } = living;
    const challenge = textOf(await device.begin(attic, cert), 'challenge');

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.complete(attic, cert, { challenge })),
    );

    const verdicts = answers.map(verdictOf).sort();
    expect(verdicts).toEqual(['200', ...Array.from({ length: 19 }, () => '401 challenge_invalid')]);
  });

  test('gets no answer to a renewal that was asked for: replayed', async () => {
    const { clock } = house;
    const { device, cert } = await house.pair();
    await clock.advance(31 * dayMs);
    const ts = clock.now();

    const first = await device.renew(cert, { ts });
    expect(first.status).toBe(200);
    expect(verdictOf(await device.renew(cert, { ts }))).toBe('409 replayed');
    expect((await device.renew(cert, { ts: ts + 1 })).body['cert']).toEqual(first.body['cert']);
    await refreshed();
  });
});

/** After a month has passed, the device that nothing is done to has a pass of now again. */
async function refreshed(): Promise<void> {
  good(await house.ada.signIn());
  living = await house.pair();
}

describe('row 10: a server that passes a sign-in on to another one', () => {
  test('gets wrong_server as itself, and bad_signature in the other’s name', async () => {
    const { attic, cellar } = house;
    const { device, cert } = living;
    const challenge = textOf(await device.begin(cellar, cert), 'challenge');
    const relayed = { challenge, serverId: attic.serverId };

    expect(verdictOf(await device.complete(cellar, cert, relayed))).toBe('401 wrong_server');
    const signed = { serverId: attic.serverId };
    const changed = await device.complete(cellar, cert, { challenge, signed });
    expect(verdictOf(changed)).toBe('401 bad_signature');

    expect((await device.complete(cellar, cert)).status).toBe(200);
  });
});

describe('row 11: somebody in between', () => {
  test('cannot give another list, be it signed by another key or for another client', async () => {
    const { ada } = house;
    const { claims } = await checkPass(living.cert, ownerOf(living));
    const { servers, clientId } = living;
    const { publicKey, sign } = await stranger();
    const iat = claims.iat;
    const evil = servers.map((one) => ({ ...one, baseUrl: 'https://evil.example.org' }));
    const foreign = { userId: claims.userId, userPubKey: publicKey, sign };
    const lists = [
      await signServerList(foreign, { clientId, servers: evil }, iat),
      await signServerList(
        { ...foreign, userPubKey: claims.userPubKey },
        { clientId, servers: evil },
        iat,
      ),
      await signServerList(
        ada.opened().identity,
        { clientId: crypto.randomUUID(), servers: evil },
        iat,
      ),
    ];

    for (const serverList of lists)
      await expect(checkServerList({ serverList, servers: evil }, claims)).rejects.toMatchObject({
        code: 'server_list_invalid',
      });

    const { serverList } = living;
    expect((await checkServerList({ serverList, servers }, claims)).servers).toEqual(servers);
  });

  test('cannot have a server that is not at home linked at an address without https', async () => {
    const iat = Math.floor(house.clock.now() / 1000);
    const { publicKey: serverId, sign } = await stranger('3');
    const request = {
      ...{ kind: 'server-link-request', v: 1, iat, name: 'Home', serverId },
      nonce: 'ab'.repeat(32),
    };
    const begin = async (baseUrl: string) =>
      ask(`${house.broker.identityUrl}/api/identity/servers/link/begin`, {
        body: await sealSigned({ ...request, baseUrl }, sign),
      });

    for (const baseUrl of ['http://films.example.org', 'http://203.0.113.9:8360'])
      expect(verdictOf(await begin(baseUrl))).toBe('400 base_url_invalid');

    for (const baseUrl of ['https://films.example.org', 'http://192.168.1.9:8360'])
      expect((await begin(baseUrl)).status).toBe(200);
  });
});

describe('row 12: a stranger with a key of their own', () => {
  test('is not known: identity_unknown', async () => {
    const eve = await newPerson('eve');
    const paired = await house.pair(await house.newDevice(), eve);

    expect(verdictOf(await paired.device.begin(house.attic, paired.cert))).toBe(
      '401 identity_unknown',
    );

    expect((await living.device.begin(house.attic, living.cert)).status).toBe(200);
  });
});

describe('row 13: a pass that is spelled otherwise', () => {
  test.each(malformed.passes)('$name: $code', async ({ code, cert }) => {
    const { device } = living;
    // Values that are not objects are refused before they are read as a pass.
    const isObject = typeof cert === 'object' && cert !== null && !Array.isArray(cert);

    const refused = await device.begin(house.attic, cert);
    expect(verdictOf(refused)).toBe(`400 ${isObject ? code : 'invalid_request'}`);

    expect((await device.begin(house.attic, living.cert)).status).toBe(200);
  });
});

describe('row 14: keys of small order', () => {
  const small = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa';
  const zeros = '00'.repeat(32);

  test('sign no pass, and are in none', async () => {
    const { device, cert } = living;
    const sig = Buffer.from(small + zeros, 'hex').toString('base64url');
    const { payload } = await forged(cert, { userPubKey: small });
    const ofSmallClient = await sealSigned(
      { ...claimsOf(cert), clientPubKey: small },
      house.ada.opened().identity.sign,
    );
    const { attic } = house;

    expect(verdictOf(await device.begin(attic, { payload, sig }))).toBe('401 cert_bad_signature');
    expect(verdictOf(await device.begin(attic, ofSmallClient))).toBe('400 cert_malformed');

    expect((await device.begin(attic, cert)).status).toBe(200);
  });

  test('are not paired: invalid_key', async () => {
    const device = await house.newDevice();

    for (const clientPubKey of [small, zeros, 'ff'.repeat(32)])
      expect(verdictOf(await device.pairBegin({ clientPubKey }))).toBe('400 invalid_key');

    expect((await device.pairBegin()).status).toBe(200);
  });
});

describe('row 15: somebody who has a victim approve their device', () => {
  test('cannot hide what is asked: the page gets app, device, age and network', async () => {
    const { ada, clock } = house;
    const device = await house.newDevice('Bedroom 📺');
    const requestId = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    await clock.advance(minuteMs);

    const facts = await ada.look(requestId);

    expect(facts).toMatchObject({
      app: { appId, name: 'Telly', isVerified: false, domain: null, icon: null },
      deviceName: 'Bedroom 📺',
      platform: 'tv',
      clientPubKey: device.publicKey,
      isSameNetwork: true,
    });
    expect(facts.network).not.toMatch(/^127\.0\.0\.1$/);
    expect(facts.now - facts.requestedAt).toBeGreaterThanOrEqual(minuteMs);
  });

  test('gets nothing when the victim says no: denied', async () => {
    const { ada, clock } = house;
    const device = await house.newDevice();
    const requestId = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));

    good(await ada.deny(requestId));
    expect((await device.poll(requestId)).body).toEqual({
      status: 'error',
      error: { code: 'denied' },
    });

    const asked = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    good(await ada.approve(asked));
    await clock.advance(2000);
    expect((await device.poll(asked)).body['status']).toBe('completed');
  });

  test('cannot name a device in letters that are not seen', async () => {
    const device = await house.newDevice();

    for (const deviceName of ['TV\u202e', 'TV\u0000', 'Ku\u0308che', '', 'x'.repeat(65)])
      expect(verdictOf(await device.pairBegin({ deviceName }))).toBe('400 invalid_request');

    expect((await device.pairBegin({ deviceName: 'Küche 📺' })).status).toBe(200);
  });
});

describe('row 16: somebody who guesses codes', () => {
  test('has five tries in ten minutes, and an address not many more: rate_limited', async () => {
    const clock = house.clock;
    const limits = { ...usualLimits, wrongCodesPerAddress: 7 };
    const broker = await openTestBroker({ clock, limits });
    try {
      const { identityUrl } = broker;
      const mallory = await registerPerson('mallory', { identityUrl, clock });
      const oscar = await registerPerson('oscar', { identityUrl, clock });
      good(await mallory.web('apps', { body: newApp }));
      const device = await createDevice({ identityUrl, appId, clock });
      const pairingCode = textOf(await device.pairBegin(), 'pairingCode');
      const wrong = pairingCode.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
      const type = (person: Person, code: string) => person.web('code', { body: { code } });

      for (let tries = 0; tries < 5; tries += 1)
        expect(verdictOf(await type(mallory, wrong))).toBe('404 code_unknown');
      const limited = await type(mallory, pairingCode);
      expect(verdictOf(limited)).toBe('429 rate_limited');
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      for (let tries = 0; tries < 2; tries += 1)
        expect(verdictOf(await type(oscar, wrong))).toBe('404 code_unknown');
      expect(verdictOf(await type(oscar, pairingCode))).toBe('429 rate_limited');

      await clock.advance(10 * minuteMs);
      const again = textOf(await device.pairBegin(), 'pairingCode');
      expect((await type(mallory, again)).status).toBe(200);
    } finally {
      await broker.stop();
    }
  });
});

const newApp = {
  ...{ slug: appId.slice('app_'.length), name: 'Telly', domain: null, icon: null },
  callbacks: [callbackUrl],
};

describe('row 17: a flood of polls', () => {
  test('is told to slow down, and is heard again after it did', async () => {
    const device = await house.newDevice();
    const requestId = textOf(await device.pairBegin(), 'requestId');

    expect((await device.poll(requestId)).body).toEqual({ status: 'pending' });
    const flooded = await device.poll(requestId);
    expect(verdictOf(flooded)).toBe('429 slow_down');
    expect(flooded.headers.get('retry-after')).toBe('5');

    await house.clock.advance(2000);
    expect((await device.poll(requestId)).body).toEqual({ status: 'pending' });
  });
});

describe('row 18: a callback to somewhere else', () => {
  test.each([
    'https://telly.example.org/paired/',
    'https://telly.example.org/paired?x=1',
    'https://telly.example.org/paired#x',
    'https://telly.example.org/Paired',
    'https://telly.example.org.evil.example/paired',
    'https://telly.example.org@evil.example/paired',
    'https://telly.example.org:443/paired',
    'https://TELLY.example.org/paired',
    'http://telly.example.org/paired',
    'https://telly.example.org/paired/../paired',
    'javascript:alert(1)',
  ])('is not registered: %s', async (wanted) => {
    const device = await house.newDevice();

    expect(verdictOf(await device.pairBegin({ callbackUrl: wanted }))).toBe(
      '400 callback_not_registered',
    );
  });

  test('that is registered is where the browser goes, with the request’s id and nothing of the pass', async () => {
    const device = await house.newDevice();
    const begun = await device.pairBegin({ callbackUrl });
    const requestId = textOf(begun, 'requestId');
    expect(begun.body).not.toHaveProperty('pairingCode');

    const approved = await house.ada.approve(requestId);

    expect(good(approved)['redirect']).toBe(`${callbackUrl}?requestId=${requestId}&result=ok`);
    expect(pairedFrom(device, await device.poll(requestId)).servers).toHaveLength(2);
  });
});

describe('row 19: another site, or a script in the page', () => {
  async function asked(): Promise<string> {
    const device = await house.newDevice();
    return house.ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
  }

  test.each([
    ['another site', 'https://evil.example.org'],
    ['another port of this machine', 'http://localhost:1'],
    ['no site at all', 'null'],
  ])('%s: bad_origin', async (_, origin) => {
    const { ada } = house;
    const requestId = await asked();

    const foreign = await ada.approve(requestId, { headers: { origin } });
    expect(verdictOf(foreign)).toBe('403 bad_origin');

    expect((await ada.approve(requestId)).status).toBe(200);
  });

  test('no other request of theirs is taken either: bad_origin', async () => {
    const { ada } = house;
    const headers = { origin: 'https://evil.example.org' };
    const [body, requestId] = [{}, await asked()];

    for (const route of ['logout', 'code', 'records', 'batch', 'apps', `pair/${requestId}/deny`])
      expect(verdictOf(await ada.web(route, { body, headers }))).toBe('403 bad_origin');

    expect((await ada.web('session')).status).toBe(200);
  });

  test('a gesture for something else, or without the person, approves nothing: assertion_invalid', async () => {
    const { ada } = house;
    const requestId = await asked();
    const { options } = good(await ada.web('login/options', { body: {} })) as {
      readonly options: { readonly challenge: string };
    };

    for (const behaviour of [
      { challenge: options.challenge },
      { isUserVerified: false },
      { origin: 'https://evil.example.org' },
      { rpId: 'evil.example.org' },
    ])
      expect(verdictOf(await ada.approve(requestId, { behaviour }))).toBe('401 assertion_invalid');

    expect((await ada.approve(requestId)).status).toBe(200);
  });

  test('the gesture of one request approves no other: approve_mismatch', async () => {
    const { ada } = house;
    const [one, other] = [await asked(), await asked()];
    let stolen: unknown;
    const steal = (body: ApproveBody): unknown => {
      stolen = body.credential;
      return { ...body, cert: 'never sent whole' };
    };
    await ada.approve(one, { change: steal });

    const used = await ada.approve(other, {
      change: (body) => ({ ...body, credential: stolen }),
    });
    expect(verdictOf(used)).toMatch(/^401 (approve_mismatch|assertion_invalid)$/);

    expect((await ada.approve(other)).status).toBe(200);
  });

  test('a pass for something else than was asked is not taken: cert_mismatch', async () => {
    const { ada } = house;
    const requestId = await asked();
    const sign = ada.opened().identity.sign;
    const signed = async (cert: SignedObject, changes: object): Promise<SignedObject> =>
      sealSigned({ ...claimsOf(cert), ...changes }, sign);
    const { publicKey } = await stranger();

    for (const changes of [
      { clientPubKey: publicKey },
      { appId: 'app_other' },
      { deviceName: 'X' },
    ]) {
      let wrong: SignedObject | undefined;
      await ada.approve(requestId, {
        change: (body) => {
          wrong = body.cert;
          return {};
        },
      });
      const cert = wrong && (await signed(wrong, changes));
      const answer = await ada.approve(requestId, { change: (body) => ({ ...body, cert }) });
      expect(verdictOf(answer)).toBe('400 cert_mismatch');
    }

    expect((await ada.approve(requestId)).status).toBe(200);
  });

  test('cannot take the keys out of a page that approves', async () => {
    const { ada } = house;
    const secret = passkeySecret(ada.passkey.id, ada.passkey.prf);
    const parts = { account: ada.account(), secret };
    const { vault } = ada.opened();
    const approving = await openVault(vault, { ...parts, purpose: 'sign' });
    const changing = await openVault(vault, { ...parts, purpose: 'change' });
    if (typeof approving === 'string' || typeof changing === 'string')
      throw new Error('The vault stays shut.');

    await expect(crypto.subtle.exportKey('raw', approving.vaultKey)).rejects.toMatchObject({
      name: 'InvalidAccessError',
    });
    expect(Object.values(approving.identity).filter((one) => one instanceof CryptoKey)).toEqual([]);

    // The vault key can be wrapped only where the vault is about to be locked again.
    expect((await crypto.subtle.exportKey('raw', changing.vaultKey)).byteLength).toBe(32);
  });
});

describe('row 20: an approval', () => {
  test('that is sent twice is pairing_gone', async () => {
    const { ada } = house;
    const device = await house.newDevice();
    const requestId = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    let body: ApproveBody | undefined;
    const keep = (sent: ApproveBody): ApproveBody => (body = sent);

    expect((await ada.approve(requestId, { change: keep })).status).toBe(200);
    const again = await ada.web(`pair/${requestId}/approve`, { body });

    expect(verdictOf(again)).toBe('410 pairing_gone');
  });

  test('that comes late is pairing_gone, and the device hears expired', async () => {
    const { ada, clock } = house;
    const device = await house.newDevice();
    const requestId = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    let body: ApproveBody | undefined;
    await ada.approve(requestId, {
      change: (sent) => {
        body = sent;
        return {};
      },
    });
    await clock.advance(10 * minuteMs);

    expect(verdictOf(await ada.web(`pair/${requestId}/approve`, { body }))).toBe(
      '410 pairing_gone',
    );
    expect((await device.poll(requestId)).body).toEqual({
      status: 'error',
      error: { code: 'expired' },
    });

    expect((await house.pair(device)).servers).toHaveLength(2);
  });
});

describe('row 21: somebody who got hold of a link to a server', () => {
  test('cannot finish it: it belongs to the session that began it', async () => {
    const { attic } = house;
    const [grace, mallory] = [await attic.join('Grace'), await attic.join('Mallory')];
    const person = await newPerson('grace');
    const { id, requestId } = await beginLink(attic, grace);
    good(await person.link(requestId));
    const { fingerprint } = await lookAtLink(attic, grace, id);
    const confirm = (token: string, told: string) =>
      attic.ask(`/api/identity/links/${id}/confirm`, { body: { fingerprint: told }, token });

    expect((await confirm(mallory.token, fingerprint)).status).toBe(404);
    expect((await attic.ask(`/api/identity/links/${id}`, { token: mallory.token })).status).toBe(
      404,
    );

    expect((await confirm(grace.token, fingerprint)).status).toBe(200);
  });

  test('and who approves it with their own identity is seen by the fingerprint', async () => {
    const { attic } = house;
    const heidi = await attic.join('Heidi');
    const [person, attacker] = [await newPerson('heidi'), await newPerson('oscar')];
    const leaked = await beginLink(attic, heidi);
    good(await attacker.link(leaked.requestId));
    const own = await fingerprintOf(person);
    const shown = await lookAtLink(attic, heidi, leaked.id);
    expect(shown.fingerprint).not.toBe(own);
    expect(shown.userPubKey).toBe(attacker.account().userPubKey);

    const confirm = { body: { fingerprint: own }, token: heidi.token };
    const refused = await attic.ask(`/api/identity/links/${leaked.id}/confirm`, confirm);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const paired = await house.pair(await house.newDevice(), attacker);
    expect(verdictOf(await paired.device.begin(attic, paired.cert))).toBe('401 identity_unknown');

    await linkHome(attic, heidi, person);
    const theirs = await house.pair(await house.newDevice(), person);
    expect((await theirs.device.begin(attic, theirs.cert)).status).toBe(200);
  });
});

async function fingerprintOf(person: Person): Promise<string> {
  const key = Buffer.from(person.account().userPubKey, 'hex');
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', key)).toString('hex');
  return (digest.slice(0, 16).match(/.{4}/g) ?? []).join(' ');
}

describe('row 22: a thief of a server’s database', () => {
  test('finds no token in it, and not the server’s key', async () => {
    const { attic } = house;
    const token = await living.device.signIn(attic, living.cert);
    const key = readFileSync(path.join(attic.data, 'server-id.key'), 'utf8');
    const secret = /\n([A-Za-z0-9+/=]+)\n/.exec(key)?.[1] ?? 'no key';

    const kept = await attic.kept();

    expect(kept).toContain(house.ada.account().userPubKey);
    expect(kept).not.toContain(token.slice('vti_'.length));
    expect(kept).not.toContain(Buffer.from(token.slice(4), 'base64url').toString('latin1'));
    expect(kept).not.toContain(secret);
    expect((await attic.ask('/api/auth/identity/me', { token })).status).toBe(200);
  });
});

describe('row 23: an attacker who finds a lost device', () => {
  test('is stopped everywhere once it is revoked', async () => {
    const { ada, attic, cellar, homes } = house;
    const { device, cert, clientId } = await house.pair();
    const tokens = await Promise.all(homes.map((home) => device.signIn(home, cert)));
    const me = (at: number) =>
      (at === 0 ? attic : cellar).ask('/api/auth/identity/me', { token: tokens[at] });
    expect([(await me(0)).status, (await me(1)).status]).toEqual([200, 200]);
    const asking = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));

    good(await ada.revoke(clientId));
    await house.feedInterval();
    for (const at of [0, 1])
      await eventually('the server has heard', async () => (await me(at)).status === 401);

    // Its sessions, a new one, a renewal, and the same key once more.
    for (const at of [0, 1]) {
      const answer = await me(at);
      expect(verdictOf(answer)).toBe('401 identity_revoked');
      expect(answer.body['error']).toBe('unauthorized');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    for (const home of homes)
      expect(verdictOf(await device.begin(home, cert))).toBe('401 identity_revoked');
    expect(verdictOf(await device.renew(cert))).toBe('403 revoked');
    good(await ada.signIn());
    expect(verdictOf(await ada.approve(asking))).toBe('409 client_key_revoked');

    expect((await living.device.begin(attic, living.cert)).status).toBe(200);
    const fresh = await house.pair();
    expect(await fresh.device.signIn(cellar, fresh.cert)).toMatch(/^vti_/);
  });
});

describe('row 24: an attacker who exhausts a server', () => {
  test('is limited, and let in again a minute later: rate_limited', async () => {
    const { attic, clock } = house;
    const { device, cert } = living;
    // Thirty at once; on a slow machine another one becomes free meanwhile.
    let allowed = 0;
    let verdict = verdictOf(await device.begin(attic, cert));
    for (; verdict === '200' && allowed < 60; allowed += 1)
      verdict = verdictOf(await device.begin(attic, cert));

    expect(verdict).toBe('429 rate_limited');
    expect(allowed).toBeGreaterThanOrEqual(30);
    // What a stranger says of their own address does not count.
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const url = `${attic.url}/api/auth/identity-session/begin`;
    expect(verdictOf(await ask(url, { body: { cert }, headers }))).toBe('429 rate_limited');

    await clock.advance(minuteMs);
    expect((await device.begin(attic, cert)).status).toBe(200);
  });

  test('costs no challenge of a device more than twenty: the oldest goes', async () => {
    const { attic } = house;
    const { device, cert } = living;
    const challenges: string[] = [];
    for (let asked = 0; asked < 21; asked += 1)
      challenges.push(textOf(await device.begin(attic, cert), 'challenge'));

    const [first = '', second = ''] = challenges;
    expect(verdictOf(await device.complete(attic, cert, { challenge: first }))).toBe(
      '401 challenge_invalid',
    );
    expect((await device.complete(attic, cert, { challenge: second })).status).toBe(200);
  });

  test('cannot use a challenge that is older than two minutes', async () => {
    const { attic, clock } = house;
    const { device, cert } = living;
    const challenge = textOf(await device.begin(attic, cert), 'challenge');
    await clock.advance(2 * minuteMs);

    expect(verdictOf(await device.complete(attic, cert, { challenge }))).toBe(
      '401 challenge_invalid',
    );
    expect((await device.complete(attic, cert)).status).toBe(200);
  });
});

describe('row 25: an attacker who asks servers which keys they know', () => {
  test('hears the same of a key that is linked and of one that is not: cert_bad_signature', async () => {
    const { attic } = house;
    const { device, cert } = living;
    const unknown = (await newPerson('judy')).account().userPubKey;

    const ofLinked = await device.begin(attic, await forged(cert, {}));
    const ofOther = await device.begin(attic, await forged(cert, { userPubKey: unknown }));

    expect(verdictOf(ofLinked)).toBe('401 cert_bad_signature');
    expect(ofOther.body).toEqual(ofLinked.body);
    expect((await device.begin(attic, cert)).status).toBe(200);
  });
});

describe('row 26: a lost passkey', () => {
  test('does not lose the identity: another passkey opens the same vault', async () => {
    const { clock, broker } = house;
    const kim = await registerPerson('kim', placeOf(house));
    const { options } = good(await kim.web('passkeys/options', { body: {} })) as {
      readonly options: Parameters<typeof makePasskey>[0];
    };
    const second = {
      ...makePasskey(options, broker.identityUrl),
      prf: crypto.getRandomValues(new Uint8Array(32)),
    };
    const { vault } = await withSecret(kim.opened(), passkeySecret(second.id, second.prf));
    good(await kim.web('passkeys/verify', { body: { credential: second.registration, vault } }));
    const before = kim.account().userPubKey;
    await clock.advance(minuteMs);

    good(await kim.signIn(second));

    expect(kim.account().userPubKey).toBe(before);
    expect(kim.opened().identity.userPubKey).toBe(before);
  });

  test('nor is one without another passkey: the recovery code opens it, a wrong one does not', async () => {
    const lea = await registerPerson('lea', placeOf(house));
    const recover = async (code: string) =>
      lea.web('recover', { body: { handle: 'lea', auth: await recoveryAuth(code) } });

    expect(verdictOf(await recover('0'.repeat(26)))).toBe('401 recovery_refused');

    const { account, vault } = good(await recover(lea.recoveryCode)) as unknown as Recovery;
    const secret = recoverySecret(lea.recoveryCode);
    const opened = await openVault(vault, { account, secret, purpose: 'change' });
    expect(typeof opened === 'object' && opened.identity.userPubKey).toBe(lea.account().userPubKey);
  });
});

describe('row 27: the clock of a television', () => {
  test('that is off is told the time, and one try with the difference succeeds: clock_skew', async () => {
    const { attic, clock } = house;
    const { device, cert } = living;
    const offMs = -60 * minuteMs;

    const refused = await device.complete(attic, cert, { ts: clock.now() + offMs });
    expect(verdictOf(refused)).toBe('401 clock_skew');
    const serverTime = Number(refused.body['serverTime']);
    expect(Math.abs(serverTime - clock.now())).toBeLessThan(5000);

    const difference = serverTime - (clock.now() + offMs);
    const corrected = clock.now() + offMs + difference;
    expect((await device.complete(attic, cert, { ts: corrected })).status).toBe(200);
  });

  test('that steps back does not lock the device out of its renewal', async () => {
    const { clock } = house;
    const { device, cert } = await house.pair();
    await clock.advance(31 * dayMs);
    const ts = clock.now();

    expect((await device.renew(cert, { ts })).status).toBe(200);
    expect((await device.renew(cert, { ts: ts - 4 * minuteMs })).status).toBe(200);
    const skewed = await device.renew(cert, { ts: ts - 10 * minuteMs });
    expect(verdictOf(skewed)).toBe('401 clock_skew');
    expect(Math.abs(Number(skewed.body['serverTime']) - clock.now())).toBeLessThan(5000);
    await refreshed();
  });
});

test('our own vectors are what this file began from: their pass is well formed, and of no user here', async () => {
  expect(verdictOf(await living.device.begin(house.attic, flow.cert))).toBe('401 identity_unknown');
});

test('the table of docs/identity.md has a row for each of these, and no other', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const own = readFileSync(import.meta.filename, 'utf8');
  const page = readFileSync(path.join(root, 'docs/identity.md'), 'utf8').split('### Threats')[1];
  const numbersIn = (text: string, pattern: RegExp): readonly number[] =>
    [...text.matchAll(pattern)].map(([, number]) => Number(number));
  const rows = numbersIn(page ?? '', /^\| (\d+) +\|/gm);

  expect(rows).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
  expect(numbersIn(own, /^describe\('row (\d+):/gm)).toEqual(rows);
});
