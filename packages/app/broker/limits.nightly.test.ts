import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  appId,
  openBrokerScene,
  type BrokerScene,
} from '../../../test/support/identity/broker-scene.ts';
import { ask, textOf, verdictOf } from '../../../test/support/identity/ask.ts';
import { createDevice } from '../../../test/support/identity/device.ts';
import type { BrokerLimits } from './service/config.ts';
import { recoveryAuth } from './signing/index.ts';

const minuteMs = 60_000;

async function open(limits: 'usual' | Partial<BrokerLimits> = 'usual'): Promise<BrokerScene> {
  const scene = await openBrokerScene(limits);
  onTestFinished(() => scene.stop());
  return scene;
}

const verdicts = async (count: number, ask: () => Promise<string>): Promise<readonly string[]> => {
  const told: string[] = [];
  for (let at = 0; at < count; at += 1) told.push(await ask());
  return told;
};

describe('limits per address', () => {
  test('10 pairings a minute and 60 an hour', async () => {
    const scene = await open();
    const device = await scene.newDevice();
    const begin = async () => verdictOf(await device.pairBegin());

    expect(await verdicts(10, begin)).toEqual(Array<string>(10).fill('200'));
    const refused = await device.pairBegin();
    expect(verdictOf(refused)).toBe('429 rate_limited');
    expect(refused.headers.get('retry-after')).toBe('60');
    for (let minute = 1; minute < 6; minute += 1) {
      await scene.clock.advance(minuteMs);
      expect(await verdicts(10, begin)).toEqual(Array<string>(10).fill('200'));
    }
    await scene.clock.advance(minuteMs);
    expect(await begin()).toBe('429 rate_limited');
    await scene.clock.advance(55 * minuteMs);
    expect(await begin()).toBe('200');
  });

  test('requests are counted before the body is parsed', async () => {
    const scene = await open({ beginsPerMinute: 2 });
    const device = await scene.newDevice();
    const bad = async () => verdictOf(await device.pairBegin({ platform: 7 }));

    expect(await verdicts(3, bad)).toEqual([
      '400 invalid_request',
      '400 invalid_request',
      '429 rate_limited',
    ]);
  });

  test('120 polls a minute, for any request', async () => {
    const scene = await open({ pollsPerMinute: 120 });
    const device = await scene.newDevice();

    const told = await verdicts(121, async () => verdictOf(await device.poll('nothing')));
    expect(told.filter((one) => one === '404 not_found')).toHaveLength(120);
    expect(told.at(-1)).toBe('429 rate_limited');
  });

  test('60 reads of the feed an hour', async () => {
    const scene = await open();

    const told = await verdicts(61, async () => verdictOf(await scene.feed()));
    expect(told.filter((one) => one === '200')).toHaveLength(60);
    expect(told.at(-1)).toBe('429 rate_limited');
  });

  test('60 renewals an hour, and 10 a day for a device with a valid signature', async () => {
    const scene = await open();
    const { device, cert } = await scene.pair();
    await scene.clock.advance(30 * 86_400_000);
    const other = await scene.newDevice();
    const wrong = async () =>
      verdictOf(await device.renew(cert, { sig: await other.sign({ no: 1 }) }));
    const right = async () => {
      await scene.clock.advance(1000);
      return verdictOf(await device.renew(cert));
    };

    // A caller without the device's key does not use up its limit.
    expect(await verdicts(20, wrong)).toEqual(Array<string>(20).fill('401 bad_signature'));
    expect(await verdicts(11, right)).toEqual([
      ...Array<string>(10).fill('200'),
      '429 rate_limited',
    ]);
    await scene.clock.advance(3_600_000);
    expect(await verdicts(61, wrong)).toContain('429 rate_limited');
  });

  test('links of servers, and accounts', async () => {
    const scene = await open({ linksPerHour: 2, accountsPerHour: 2 });
    const server = await scene.newServer();
    const link = async () => verdictOf(await scene.beginLink(await server.request()));
    expect(await verdicts(3, link)).toEqual(['200', '200', '429 rate_limited']);

    await scene.register('bob');
    await expect(scene.register('eve')).rejects.toThrow('rate_limited');
  });

  test('an address from a trusted proxy counts, and one from another client does not', async () => {
    const scene = await open({ beginsPerMinute: 1 });
    const url = `${scene.broker.identityUrl}/api/identity/clients/pair/begin`;
    const from = async (address: string) =>
      verdictOf(await ask(url, { body: {}, headers: { 'x-forwarded-for': address } }));

    expect(await from('203.0.113.1')).toBe('400 invalid_request');
    expect(await from('203.0.113.2')).toBe('429 rate_limited');
  });
});

test('one app has 1000 live pairings, and no more', async () => {
  const scene = await open({ livePairingsPerApp: 3 });
  const device = await scene.newDevice();
  const begin = async () => verdictOf(await device.pairBegin());

  expect(await verdicts(4, begin)).toEqual(['200', '200', '200', '429 rate_limited']);
  await scene.clock.advance(10 * minuteMs);
  expect(await begin()).toBe('200');
});

describe('guessing codes', () => {
  test('is blocked after 5 wrong codes of an account, for ten minutes, also with a right one', async () => {
    const scene = await open();
    const device = await scene.newDevice();
    const right = textOf(await device.pairBegin(), 'pairingCode');
    const wrong = right === '00000000' ? '00000001' : '00000000';
    const type = async (code: string) => verdictOf(await scene.ada.web('code', { body: { code } }));

    expect(await type(right)).toBe('200');
    expect(await verdicts(6, () => type(wrong))).toEqual([
      ...Array<string>(5).fill('404 code_unknown'),
      '429 rate_limited',
    ]);
    expect(await type(right)).toBe('429 rate_limited');
    await scene.clock.advance(9 * minuteMs + 59_000);
    expect(await type(right)).toBe('429 rate_limited');
    await scene.clock.advance(1000);
    // The code has expired as well.
    expect(await type(right)).toBe('404 code_unknown');
  });

  test('parallel attempts are limited like sequential ones', async () => {
    const scene = await open();
    const guesses = Array.from({ length: 30 }, (_, at) => String(at).padStart(8, '0'));

    const told = await Promise.all(
      guesses.map(async (code) => verdictOf(await scene.ada.web('code', { body: { code } }))),
    );

    expect(told.filter((one) => one === '404 code_unknown')).toHaveLength(5);
    expect(told.filter((one) => one === '429 rate_limited')).toHaveLength(25);
  });

  test('is blocked for an address after 30, for all accounts', async () => {
    const scene = await open({ wrongCodesPerAccount: 5, wrongCodesPerAddress: 30 });
    const people = await Promise.all(
      Array.from({ length: 7 }, (_, index) => scene.register(`guest-${index}`)),
    );
    const told: string[] = [];
    for (const person of people)
      told.push(
        ...(await verdicts(5, async () =>
          verdictOf(await person.web('code', { body: { code: '00000000' } })),
        )),
      );

    expect(told.slice(0, 30)).toEqual(Array<string>(30).fill('404 code_unknown'));
    expect(told.slice(30)).toEqual(Array<string>(5).fill('429 rate_limited'));
  });

  test('above the total limit blocks codes, but not links', async () => {
    const scene = await open({ wrongCodes: 3 });
    const device = await scene.newDevice();
    const begun = await device.pairBegin();
    const type = (code: string) => scene.ada.web('code', { body: { code } });
    for (const code of ['00000000', '00000001', '00000002']) await type(code);

    const refused = await type(textOf(begun, 'pairingCode'));
    expect(verdictOf(refused)).toBe('429 rate_limited');
    expect(refused.body['message']).toContain('scan');
    const requestId = textOf(begun, 'requestId');
    expect((await scene.ada.approve(requestId)).status).toBe(200);
  });

  test('a code finds its request until it is answered', async () => {
    const scene = await open({});
    const devices = await Promise.all(Array.from({ length: 20 }, () => scene.newDevice()));
    const begun = await Promise.all(devices.map((device) => device.pairBegin()));
    const codes = begun.map((one) => textOf(one, 'pairingCode'));
    expect(new Set(codes).size).toBe(20);
    for (const odd of ['1234567', '123456789', '1234 5678', '１２３４５６７８', ''])
      expect(verdictOf(await scene.ada.web('code', { body: { code: odd } }))).toBe(
        '400 invalid_request',
      );

    for (const [index, one] of begun.entries())
      expect(await scene.ada.typeCode(codes[index] ?? '')).toBe(one.body['requestId']);
    await scene.ada.deny(String(begun[0]?.body['requestId']));
    expect(verdictOf(await scene.ada.web('code', { body: { code: codes[0] } }))).toBe(
      '404 code_unknown',
    );
  });
});

test('20 uses of the passkeys of an account a minute', async () => {
  const scene = await open({ assertionsPerMinute: 20 });

  const told = await verdicts(21, async () =>
    verdictOf(await scene.ada.signIn(undefined, { isUserVerified: false })),
  );
  expect(told.at(19)).toBe('401 assertion_invalid');
  expect(told.at(20)).toBe('429 rate_limited');
  await scene.clock.advance(minuteMs);
  expect(verdictOf(await scene.ada.signIn())).toBe('200');
});

describe('recovery codes', () => {
  async function tried() {
    const scene = await open({ recoveriesPerHour: 5 });
    const origin = scene.broker.identityUrl;
    const recover = async (handle: string, auth = randomBytes(32).toString('base64url')) =>
      verdictOf(
        await ask(`${origin}/web/recover`, { body: { handle, auth }, headers: { origin } }),
      );
    return { scene, recover };
  }

  test('5 wrong ones an hour from one address, for all names', async () => {
    const { scene, recover } = await tried();

    for (const handle of ['ada', 'ADA', 'bob', '\uff21da', 'eve'])
      expect(await recover(handle)).toBe('401 recovery_refused');
    expect(await recover('ada')).toBe('429 rate_limited');
    expect(await recover('mia')).toBe('429 rate_limited');
    await scene.clock.advance(60 * minuteMs);
    expect(await recover('ada')).toBe('401 recovery_refused');
  });

  test('a right one is accepted after any number of wrong ones of others', async () => {
    const { scene, recover } = await tried();
    const right = await recoveryAuth(scene.ada.recoveryCode);

    expect(await verdicts(6, () => recover('ada'))).toContain('429 rate_limited');

    expect(await recover('ada', right)).toBe('200');
  });
});

test('a disabled app is refused, and its pending requests end', async () => {
  const scene = await open({});
  const device = await createDevice({
    ...{ identityUrl: scene.broker.identityUrl, appId, clock: scene.clock },
  });
  const requestId = await scene.begin(device);
  const { switchApp } = await import('./operator.ts');
  const { silentLog } = await import('../../../kernel/index.ts');
  const { database } = scene.broker;

  expect(await switchApp({ database, log: silentLog }, appId, false)).toBe(true);
  expect(await switchApp({ database, log: silentLog }, 'app_nobody', false)).toBe(false);

  expect(verdictOf(await device.pairBegin())).toBe('403 app_disabled');
  expect((await device.poll(requestId)).body).toEqual({
    status: 'error',
    error: { code: 'app_disabled' },
  });
  expect(verdictOf(await scene.ada.web(`pair/${requestId}`))).toBe('403 app_disabled');
  await switchApp({ database, log: silentLog }, appId, true);
  expect(verdictOf(await device.pairBegin())).toBe('200');
});

describe('limits per account', () => {
  test('60 signed changes a minute', async () => {
    const scene = await open({ changesPerMinute: 3 });
    const send = async () => verdictOf(await scene.ada.web('batch', { body: {} }));

    expect(await verdicts(4, send)).toEqual([
      ...Array<string>(3).fill('400 invalid_request'),
      '429 rate_limited',
    ]);
    await scene.clock.advance(minuteMs);
    expect(await send()).toBe('400 invalid_request');
  });

  test('1000 records a day in the feed, which all servers read', async () => {
    const scene = await open({ recordsPerDay: 2 });
    const ids = [];
    for (let at = 0; at < 3; at += 1) ids.push((await scene.pair()).clientId);

    const told = [];
    for (const id of ids) told.push(verdictOf(await scene.ada.revoke(id)));
    expect(told).toEqual(['204', '204', '429 rate_limited']);
    expect((await scene.feed()).body['records']).toHaveLength(2);
  });

  test('200 devices', async () => {
    const scene = await open({ clientsPerAccount: 1 });
    const { device } = await scene.pair();

    await expect(scene.pair()).rejects.toThrow('too_many');
    // The same device replaces itself.
    expect((await scene.pair(device)).poll.status).toBe(200);
  });
});

test('a trusted proxy reports the client address', async () => {
  const { createTrustedProxies, networkKeyOf, networkOf } =
    await import('./service/client-address.ts');
  const isTrusted = createTrustedProxies(['10.0.0.0/8', '::1']);

  expect(['10.1.2.3', '::ffff:10.1.2.3', '::1', '11.0.0.1', 'nonsense'].map(isTrusted)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  expect(networkKeyOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(networkKeyOf('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1::/48');
  expect(networkOf('203.0.113.9')).toBe('203.0.113.x');
});
