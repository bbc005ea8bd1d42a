import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { judge } from '../../../../builtin-plugins/license/judge.ts';
import { silentLog } from '../../../../kernel/index.ts';
import type { LicenseState } from '../../../../plugin-api/index.ts';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import {
  createTestIssuer,
  startTestAuthority,
  type TestIssuer,
} from '../../../../test/support/plugins/license.ts';
import { openTestStorage } from '../../../../test/support/storage/storage.ts';
import { systemClock } from '../../../platform/clock.ts';
import {
  createAuthority,
  createLicensing,
  licenseMigrations,
  type Licensing,
} from '../../../operations/license/index.ts';
import { createSecretBox } from '../../../platform/secrets/index.ts';
import { mount, type HttpApp } from '../../index.ts';
import { licenseRoutes } from './license.ts';

let issuer: TestIssuer;
let app: HttpApp;
let licensing: Licensing;

beforeEach(async () => {
  issuer = createTestIssuer();
  const { url } = await startTestAuthority(issuer.issuer);
  const storage = await openTestStorage({ migrations: [licenseMigrations] });
  licensing = createLicensing({
    database: storage.database,
    secrets: createSecretBox(randomBytes(32), randomBytes),
    issuer: issuer.issuer,
    authority: createAuthority({ url, serverId: 'this-server' }),
    call: async (_id, _method, input) => judge(input as LicenseState),
    provider: () => 'license',
    audit: async () => undefined,
    notify: () => undefined,
    clock: systemClock,
    elapsed: () => performance.now(),
    random: Math.random,
    log: silentLog,
  });
  await createAuthority({ url, serverId: 'other-server' }).activate(issuer.issue({ id: 'taken' }));
  app = await createTestApp([mount(licenseRoutes, { licensing })]);
  onTestFinished(async () => {
    await app.close();
    await licensing.close();
  });
});

const request = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object | string) =>
  app.inject({
    method,
    url,
    headers: {
      ...bearer('admin'),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { payload }),
  });
const activate = (payload: object | string) => request('POST', '/api/license/activate', payload);

describe('POST /api/license/activate', () => {
  test('answers 200 with the license, its key masked', async () => {
    const licenseKey = issuer.issue({ limits: { users: 5, screens: 2 } });

    const reply = await activate({ licenseKey });

    expect({ status: reply.statusCode, body: reply.json<unknown>() }).toEqual({
      status: 200,
      body: {
        ok: true,
        license: {
          status: 'active',
          tier: 'home',
          limits: { users: 5, screens: 2 },
          expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          lastValidatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          maskedKey: `****${licenseKey.slice(-4)}`,
        },
      },
    });
  });

  test('answers 409 with current and max when all seats are taken', async () => {
    const reply = await activate({ licenseKey: issuer.issue({ id: 'taken' }) });

    expect({ status: reply.statusCode, body: reply.json<unknown>() }).toEqual({
      status: 409,
      body: { ok: false, conflict: true, current: 1, max: 1, message: expect.any(String) },
    });
  });

  test.each([
    ['lacks the key', {}],
    ['has a key that is a number', { licenseKey: 5 }],
    ['has a key that is null', { licenseKey: null }],
    ['has a key that is not a license key', { licenseKey: 'hello' }],
    ['has another key', { licenseKey: 'hello', seats: 5 }],
    ['is a list', []],
    ['is null', 'null'],
    ['is empty', undefined],
    ['is incomplete JSON', '{"licenseKey":'],
    ['has a prototype', '{"__proto__":{},"licenseKey":"a"}'],
  ])('answers 400 {ok: false, code, message} when the body %s', async (_, body) => {
    const reply = await request('POST', '/api/license/activate', body);

    expect({ status: reply.statusCode, body: reply.json<unknown>() }).toEqual({
      status: 400,
      body: { ok: false, code: 'MALFORMED', message: expect.any(String) },
    });
  });

  test('is for admins, and for JSON', async () => {
    const send = (as: string, type: string) =>
      app.inject({
        method: 'POST',
        url: '/api/license/activate',
        headers: { ...bearer(as), 'content-type': type },
        payload: '{}',
      });

    expect(await send('user', 'application/json')).toMatchObject({ statusCode: 403 });
    expect(await send('admin', 'text/plain')).toMatchObject({ statusCode: 415 });
  });

  test('never returns the key that was sent', async () => {
    const licenseKey = `${issuer.issue()}A`;

    expect((await activate({ licenseKey })).body).not.toContain(licenseKey.slice(5, 50));
  });
});

describe('GET and DELETE /api/license', () => {
  test('show the license, and remove it', async () => {
    await activate({ licenseKey: issuer.issue() });
    expect((await request('GET', '/api/license')).json()).toMatchObject({
      license: { status: 'active' },
    });

    expect((await request('DELETE', '/api/license')).statusCode).toBe(204);

    expect((await request('GET', '/api/license')).json()).toEqual({
      license: {
        status: 'unlicensed',
        tier: null,
        limits: {},
        expiresAt: null,
        lastValidatedAt: null,
        maskedKey: null,
      },
    });
  });
});
