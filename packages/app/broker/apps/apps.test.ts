import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../kernel/index.ts';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { good, verdictOf } from '../../../../test/support/identity/ask.ts';
import { createDevice } from '../../../../test/support/identity/device.ts';
import { registerPerson, type Person } from '../../../../test/support/identity/person.ts';
import { createBroker, type Broker } from '../broker.ts';
import { usualLimits } from '../service/config.ts';
import type { DeveloperApp, PairView } from '../service/web-api.ts';

const clock = createFakeClock();
const data = mkdtempSync(path.join(tmpdir(), 'vitrine-broker-'));
/** The proofs of domains; an Error = the domain does not answer. */
const proofs = new Map<string, string | Error>();
const records = new Map<string, readonly (readonly string[])[] | Error>();
let broker: Broker;
let ada: Person;
let identityUrl = '';

function told<Value>(from: ReadonlyMap<string, Value | Error>, domain: string): Value | undefined {
  const value = from.get(domain);
  if (value instanceof Error) throw value;
  return value;
}

beforeAll(async () => {
  broker = await createBroker({
    config: {
      ...{ host: '127.0.0.1', port: 0, data, database: `sqlite:${data}/broker.db` },
      ...{ identityUrl: null, trustedProxies: [], pages: null, version: '0.0.0' },
      limits: {
        ...usualLimits,
        accountsPerHour: 1000,
        appsPerAccount: 1000,
        beginsPerMinute: 1000,
      },
    },
    key: Buffer.alloc(32, 7),
    clock,
    log: silentLog,
    fetchProof: async (domain) => told(proofs, domain) ?? null,
    resolveTxt: async (domain) => told(records, domain) ?? [],
  });
  ({ identityUrl } = await broker.start());
  ada = await registerPerson('ada', { identityUrl, clock });
});
afterAll(async () => {
  await broker.stop();
  rmSync(data, { recursive: true, force: true });
});

const newSlug = (): string => `a${randomUUID().slice(0, 8)}`;
const fields = { name: 'Telly', callbacks: [], domain: null, icon: null };
const add = (changes: object = {}) =>
  ada.web('apps', { body: { slug: newSlug(), ...fields, ...changes } });
const change = (appId: string, changes: object, person = ada) =>
  person.web(`apps/${appId}`, { method: 'PATCH', body: { ...fields, ...changes } });
const verify = (appId: string) => ada.web(`apps/${appId}/verify`, { body: {} });
const find = async (appId: string): Promise<DeveloperApp | undefined> => {
  const { apps } = good(await ada.web('apps')) as { readonly apps: readonly DeveloperApp[] };
  return apps.find((app) => app.appId === appId);
};
/** An app with a domain that proves it. */
async function verified(domain: string): Promise<string> {
  const appId = String(good(await add({ domain }))['appId']);
  proofs.set(domain, JSON.stringify({ apps: ['app_other', appId] }));
  good(await verify(appId));
  return appId;
}
const dayMs = 86_400_000;

describe('registering an app', () => {
  test('assigns a permanent id', async () => {
    const slug = newSlug();
    const answer = await add({ slug, domain: 'telly.example.org' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...{ appId: `app_${slug}`, name: 'Telly', callbacks: [], icon: null },
      ...{ isVerified: false, isEnabled: true, createdAt: clock.now() },
      domain: 'telly.example.org',
      proof: `media-identity=app_${slug}`,
    });
    expect(verdictOf(await add({ slug }))).toBe('409 app_id_taken');
  });

  test('never reuses the id of a deleted app', async () => {
    const slug = newSlug();
    await add({ slug });
    const bob = await registerPerson(`bob-${slug}`, { identityUrl, clock });
    const remove = (person: Person) => person.web(`apps/app_${slug}`, { method: 'DELETE' });
    expect(verdictOf(await remove(bob))).toBe('404 not_found');
    expect(verdictOf(await remove(ada))).toBe('204');

    expect(await find(`app_${slug}`)).toBeUndefined();
    expect(verdictOf(await add({ slug }))).toBe('409 app_id_taken');
    const device = await createDevice({ identityUrl, appId: `app_${slug}`, clock });
    expect(verdictOf(await device.pairBegin())).toBe('400 unknown_app');
  });

  test.each(['vitrine', 'admin', 'official', 'broker', 'vitrine-tv', 'my-official-app', 'support'])(
    'reserves the name %s',
    async (slug) => {
      expect(verdictOf(await add({ slug }))).toBe('409 app_id_taken');
    },
  );

  test.each(['ab', '-abc', 'abc-', 'Abc', 'a_b', 'a'.repeat(33), 'äbc'])(
    'refuses the slug %s',
    async (slug) => {
      expect(verdictOf(await add({ slug }))).toBe('400 invalid_request');
    },
  );

  test.each([
    'https://telly.example.org',
    'https://telly.example.org:8443/deep/path',
    'org.example.telly:/paired',
    'org.example.telly://paired',
  ])('accepts the callback %s', async (callback) => {
    expect(verdictOf(await add({ callbacks: [callback] }))).toBe('201');
  });

  test.each([
    'http://telly.example.org',
    'https://telly.example.org/',
    'https://telly.example.org/a/',
    'https://telly.example.org?a=b',
    'https://telly.example.org#a',
    'https://user@telly.example.org',
    'https://TELLY.example.org',
    'https://telly.example.org:443/a',
    'https://telly.example.org/a/../b',
    'https://tëlly.example.org',
    'https://telly.example.org\\@evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://telly.example.org/x',
    'ws://telly.example.org',
    'intent://x',
    'telly:/paired',
    'telly',
    '//telly.example.org',
  ])('refuses the callback %s', async (callback) => {
    expect(verdictOf(await add({ callbacks: [callback] }))).toBe('400 callback_invalid');
  });

  test('accepts ten distinct callbacks', async () => {
    const callbacks = Array.from({ length: 11 }, (_, at) => `https://telly.example.org/${at}`);
    expect(verdictOf(await add({ callbacks }))).toBe('400 invalid_request');
    expect(verdictOf(await add({ callbacks: callbacks.slice(1) }))).toBe('201');
    const [one = ''] = callbacks;
    expect(verdictOf(await add({ callbacks: [one, one] }))).toBe('400 callback_invalid');
  });

  test.each(['localhost', '127.0.0.1', 'https://telly.example.org', 'telly', 'a..b', 'A.example'])(
    'refuses the domain %s',
    async (domain) => {
      expect(verdictOf(await add({ domain }))).toBe('400 invalid_request');
    },
  );
});

describe('the proof of a domain', () => {
  test('is a file that names the app, or a DNS record, and nothing else', async () => {
    const appId = String(good(await add({ domain: 'one.example.org' }))['appId']);
    for (const text of ['', '{', '[]', '{"apps":"x"}', `{"apps":["${appId}x"]}`, `"${appId}"`]) {
      proofs.set('one.example.org', text);
      expect(verdictOf(await verify(appId))).toBe('409 domain_unproven');
    }
    proofs.delete('one.example.org');
    records.set('one.example.org', [['v=spf1 -all'], ['media-identity=', appId]]);
    expect((await verify(appId)).body).toMatchObject({ isVerified: true });
  });

  test('makes the approval page show domain and picture; without it neither is shown', async () => {
    const icon = 'https://two.example.org/icon.png';
    const appId = String(good(await add({ domain: 'two.example.org', icon }))['appId']);
    const device = await createDevice({ identityUrl, appId, clock });
    const look = async () => {
      await ada.signIn();
      const { requestId } = good(await device.pairBegin());
      return (good(await ada.web(`pair/${String(requestId)}`)) as unknown as PairView).app;
    };
    expect(await look()).toMatchObject({ isVerified: false, domain: null, icon: null });

    proofs.set('two.example.org', JSON.stringify({ apps: [appId] }));
    await verify(appId);
    expect(await look()).toMatchObject({ isVerified: true, domain: 'two.example.org', icon });
  });

  test('is lost when anything of the app changes', async () => {
    const domain = 'three.example.org';
    for (const changed of [
      { name: 'Other' },
      { icon: 'https://x.example.org/i.png' },
      { callbacks: ['https://three.example.org/cb'] },
      { domain: 'four.example.org' },
    ]) {
      const appId = await verified(domain);
      expect((await find(appId))?.isVerified).toBe(true);
      await change(appId, { domain, ...changed });
      expect((await find(appId))?.isVerified).toBe(false);
    }
  });

  test('is checked again every 30 days, and lost when it is missing', async () => {
    const appId = await verified('five.example.org');
    await clock.advance(29 * dayMs);
    proofs.set('five.example.org', '{}');
    await broker.sweep();
    await ada.signIn();
    expect((await find(appId))?.isVerified).toBe(true);

    await clock.advance(dayMs);
    await broker.sweep();
    await ada.signIn();
    expect((await find(appId))?.isVerified).toBe(false);
  });

  test('stays valid for a week in which the domain does not answer', async () => {
    const appId = await verified('six.example.org');
    const silence = new Error('Nobody answers.');
    proofs.set('six.example.org', silence);
    records.set('six.example.org', silence);
    const isVerified = async () => {
      await broker.sweep();
      await ada.signIn();
      return (await find(appId))?.isVerified;
    };
    await clock.advance(30 * dayMs);
    expect(await isVerified()).toBe(true);
    await clock.advance(6 * dayMs);
    expect(await isVerified()).toBe(true);
    await clock.advance(dayMs);
    expect(await isVerified()).toBe(false);
  });
});

test('an app can be changed only by its developer', async () => {
  await ada.signIn();
  const appId = String(good(await add())['appId']);
  const eve = await registerPerson(`eve-${randomUUID()}`, { identityUrl, clock });

  expect(verdictOf(await change(appId, { name: 'Mine' }, eve))).toBe('404 not_found');
  expect(verdictOf(await eve.web(`apps/${appId}/verify`, { body: {} }))).toBe('404 not_found');
  expect((await eve.web('apps')).body).toEqual({ apps: [] });
});
