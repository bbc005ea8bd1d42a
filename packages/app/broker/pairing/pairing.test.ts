import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  appId,
  callbackUrl,
  openBrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import type { BrokerScene } from '../../../../test/support/identity/broker-scene.ts';
import { verdictOf } from '../../../../test/support/identity/ask.ts';
import { claimsOf } from '../../../../test/support/identity/device.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

const minuteMs = 60_000;
/** A point of order 8. */
const smallOrder = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';

describe('POST /api/identity/clients/pair/begin', () => {
  test('returns a code of eight digits, and an address without the code', async () => {
    const device = await scene.newDevice();

    const { status, body, headers } = await device.pairBegin();

    expect(status).toBe(200);
    expect(body).toEqual({
      requestId: expect.stringMatching(/^[\w-]{32}$/),
      pairingCode: expect.stringMatching(/^\d{8}$/),
      pairingUrl: `${scene.broker.identityUrl}/pair`,
      pollUrl: `${scene.broker.identityUrl}/api/identity/clients/pair/${String(body['requestId'])}`,
      expiresAt: scene.clock.now() + 10 * minuteMs,
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('returns an address, and no code, to an app with a callback', async () => {
    const device = await scene.newDevice();

    const { body } = await device.pairBegin({ callbackUrl });

    expect(body).toEqual({
      requestId: expect.any(String),
      browserUrl: `${scene.broker.identityUrl}/pair/${String(body['requestId'])}`,
      expiresAt: scene.clock.now() + 10 * minuteMs,
    });
  });

  test.each([
    ['macos', 'macos'],
    ['tvOS', 'tvos'],
    ['webos', 'other'],
    ['__proto__', 'other'],
  ])('shows an app that names the platform %s as one on %s', async (platform, shown) => {
    const device = await scene.newDevice();
    const requestId = await scene.begin(device, { platform });
    await scene.ada.signIn();

    expect(await scene.ada.look(requestId)).toMatchObject({ platform: shown });
  });

  test.each([
    ['an extra key', { role: 'admin' }, '400 invalid_request'],
    ['a platform that is not text', { platform: 7 }, '400 invalid_request'],
    ['a platform of 65 characters', { platform: 'x'.repeat(65) }, '400 invalid_request'],
    ['an empty name', { deviceName: '' }, '400 invalid_request'],
    ['a name of 65 characters', { deviceName: 'x'.repeat(65) }, '400 invalid_request'],
    ['a name with a bidi character', { deviceName: 'TV\u202e' }, '400 invalid_request'],
    ['a name with a line feed', { deviceName: 'TV\nverified' }, '400 invalid_request'],
    ['a name that is not NFC', { deviceName: 'e\u0301' }, '400 invalid_request'],
    ['a key of small order', { clientPubKey: smallOrder }, '400 invalid_key'],
    ['a key in upper case', { clientPubKey: 'AB'.repeat(32) }, '400 invalid_key'],
    ['a key that is not a point', { clientPubKey: `02${'00'.repeat(31)}` }, '400 invalid_key'],
    ['an unknown app', { appId: 'app_nobody' }, '400 unknown_app'],
    ['a malformed app id', { appId: 'x' }, '400 unknown_app'],
    [
      'a callback with a slash more',
      { callbackUrl: `${callbackUrl}/` },
      '400 callback_not_registered',
    ],
    [
      'a callback with a query',
      { callbackUrl: `${callbackUrl}?a=b` },
      '400 callback_not_registered',
    ],
    [
      'a callback that looks alike',
      { callbackUrl: 'https://telly.example.org.evil.example/paired' },
      '400 callback_not_registered',
    ],
    [
      'a callback in another case',
      { callbackUrl: callbackUrl.toUpperCase() },
      '400 callback_not_registered',
    ],
    [
      'a callback of javascript',
      { callbackUrl: 'javascript:alert(1)' },
      '400 callback_not_registered',
    ],
    // Of two mistakes, the one that is checked first.
    ['a bad key for no app', { clientPubKey: smallOrder, appId: 'app_nobody' }, '400 invalid_key'],
    ['a bad name and a bad key', { deviceName: '', clientPubKey: 'x' }, '400 invalid_request'],
    ['no app with a callback', { appId: 'app_nobody', callbackUrl: 'x' }, '400 unknown_app'],
  ])('refuses %s', async (_, changes, verdict) => {
    const device = await scene.newDevice();

    expect(verdictOf(await device.pairBegin(changes))).toBe(verdict);
  });

  test('refuses a body that is not JSON or too large, in the common form of errors', async () => {
    const url = `${scene.broker.identityUrl}/api/identity/clients/pair/begin`;
    const post = async (body: string, type: string) => {
      const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
      return `${reply.status} ${String(((await reply.json()) as { error: unknown }).error)}`;
    };

    expect(await post('{}', 'text/plain')).toBe('415 not_json');
    expect(await post('{"appId":', 'application/json')).toBe('400 invalid_request');
    expect(await post('{"__proto__":{}}', 'application/json')).toBe('400 invalid_request');
    expect(await post(`"${'x'.repeat(600_000)}"`, 'application/json')).toBe('413 too_large');
  });

  test('answers preflights of apps on other origins', async () => {
    const url = `${scene.broker.identityUrl}/api/identity/clients/pair/begin`;

    const reply = await fetch(url, { method: 'OPTIONS' });

    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-headers')).toContain('content-type');
  });
});

describe('GET /api/identity/clients/pair/{requestId}', () => {
  test('replies pending, then the pass with the servers of the signed list', async () => {
    const device = await scene.newDevice();
    const requestId = await scene.begin(device);

    expect((await device.poll(requestId)).body).toEqual({ status: 'pending' });
    await scene.ada.approve(requestId);
    await scene.clock.advance(2000);

    const { status, body } = await device.poll(requestId);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['cert', 'serverList', 'servers', 'status']);
    expect(claimsOf(body['cert'] as SignedObject)).toEqual({
      v: 1,
      appId,
      clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientPubKey: device.publicKey,
      deviceName: 'Living room',
      iat: expect.any(Number),
      exp: expect.any(Number),
      scope: ['servers:*'],
      userId: scene.ada.account().userId,
      userPubKey: scene.ada.account().userPubKey,
    });
  });

  test('refuses a poll within two seconds, with a wait of five', async () => {
    const device = await scene.newDevice();
    const requestId = await scene.begin(device);
    await device.poll(requestId);
    await scene.clock.advance(1800);

    const fast = await device.poll(requestId);
    expect(verdictOf(fast)).toBe('429 slow_down');
    expect(fast.headers.get('retry-after')).toBe('5');
    await scene.clock.advance(200);
    expect(verdictOf(await device.poll(requestId))).toBe('200');
  });

  test('replies not found for an unknown id', async () => {
    const device = await scene.newDevice();

    expect(verdictOf(await device.poll('nothing'))).toBe('404 not_found');
  });

  test('replies expired after 10 minutes, and not found after 20', async () => {
    const device = await scene.newDevice();
    const requestId = await scene.begin(device);
    await scene.clock.advance(10 * minuteMs);

    expect((await device.poll(requestId)).body).toEqual({
      status: 'error',
      error: { code: 'expired' },
    });
    await scene.clock.advance(10 * minuteMs);
    expect(verdictOf(await device.poll(requestId))).toBe('404 not_found');
  });

  test('keeps a result available for an app that missed it', async () => {
    const { device, requestId } = await scene.pair();
    await scene.clock.advance(19 * minuteMs);

    expect((await device.poll(requestId)).body).toMatchObject({ status: 'completed' });
  });

  test('replies that the user denied it', async () => {
    const device = await scene.newDevice();
    const requestId = await scene.begin(device);
    await scene.ada.signIn();
    await scene.ada.deny(requestId);

    expect((await device.poll(requestId)).body).toEqual({
      status: 'error',
      error: { code: 'denied' },
    });
  });
});
