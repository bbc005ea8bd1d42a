import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { isNewer } from '../../../kernel/run/packages/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { testViewers } from '../../../test/support/servers/http.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createUpdates, signRelease, updateMigrations, type Release } from './index.ts';

const viewer = testViewers['admin'] as NonNullable<(typeof testViewers)[string]>;

const newest: Release = {
  channel: 'stable',
  version: '1.3.0',
  releasedAt: '2026-11-20T10:00:00.000Z',
  downloadUrl: 'https://vitrine.example/1.3.0',
  notes: 'Faster.',
  iat: 1_795_000_000,
};

function signer() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    key: Buffer.from(x, 'base64url').toString('hex'),
    signed: (release: Release) =>
      signRelease(release, async (bytes) => sign(null, bytes, privateKey)),
  };
}

/** A server of version 1.2.0, and the replies of the update service. */
async function server({ isSet = true } = {}) {
  const publisher = signer();
  const { database } = await openTestStorage({ migrations: [updateMigrations] });
  const told: string[] = [];
  const asked: string[] = [];
  const service = { status: 200, body: '' };
  const updates = createUpdates({
    database,
    currentVersion: '1.2.0',
    url: isSet ? 'https://updates.example/vitrine/' : null,
    key: isSet ? publisher.key : null,
    fetch: async ({ url }) => {
      asked.push(url);
      if (service.status === 0) throw new Error('ECONNREFUSED 10.0.0.1');
      return { status: service.status, headers: {}, body: Buffer.from(service.body) };
    },
    isNewer,
    notify: ({ title }) => void told.push(title.english),
    audit: async () => undefined,
    clock: createFakeClock(),
    log: silentLog,
  });
  const offer = async (release: Release, by = publisher) => {
    service.body = JSON.stringify(await by.signed(release));
    return updates.check();
  };
  return { updates, offer, service, told, asked, publisher };
}

test('before the first check, the status has every field of the specification', async () => {
  const { updates } = await server();

  expect(await updates.status()).toEqual({
    currentVersion: '1.2.0',
    currentReleasedAt: null,
    latestVersion: null,
    releasedAt: null,
    lastCheckedAt: null,
    lastError: null,
    channel: 'stable',
    isUpdateAvailable: false,
    suppressed: false,
    downloadUrl: null,
    notes: null,
  });
});

test('a newer version is detected, and announced once', async () => {
  const { offer, told, asked, updates } = await server();

  await offer(newest);
  await offer(newest);

  expect(asked[0]).toBe('https://updates.example/vitrine/stable.json');
  expect(await updates.status()).toMatchObject({
    latestVersion: '1.3.0',
    releasedAt: newest.releasedAt,
    lastCheckedAt: '2026-11-21T07:44:53.000Z',
    isUpdateAvailable: true,
    downloadUrl: newest.downloadUrl,
    notes: 'Faster.',
  });
  expect(told).toEqual(['Vitrine 1.3.0 is available.']);
});

test.each(['1.2.0', '1.1.9', '1.2.0-beta.1'])(
  'version %s is not an update of 1.2.0',
  async (version) => {
    const { offer, told } = await server();

    expect(await offer({ ...newest, version })).toMatchObject({ isUpdateAvailable: false });
    expect(told).toEqual([]);
  },
);

test('the status has the release date of the running version', async () => {
  const { offer } = await server();

  expect(await offer({ ...newest, version: '1.2.0' })).toMatchObject({
    currentReleasedAt: newest.releasedAt,
  });
});

test('a dismissed version is not an update, and the next one is', async () => {
  const { offer, updates } = await server();
  await offer(newest);

  const away = await updates.change({ suppressed: true }, viewer);
  expect(away).toMatchObject({ suppressed: true, isUpdateAvailable: false });

  const later = await offer({ ...newest, version: '1.4.0', iat: newest.iat + 1 });
  expect(later).toMatchObject({ suppressed: false, isUpdateAvailable: true });
});

test('a file with another signer is refused, and the earlier state stays', async () => {
  const { offer } = await server();
  await offer(newest);

  expect(await offer({ ...newest, version: '9.0.0', iat: newest.iat + 9 }, signer())).toMatchObject(
    {
      latestVersion: '1.3.0',
      lastError: 'The channel file is not signed with the key of --update-key.',
    },
  );
});

test('an older file does not replace a newer one', async () => {
  const { offer } = await server();
  await offer(newest);

  expect(await offer({ ...newest, version: '1.2.5', iat: newest.iat - 1 })).toMatchObject({
    latestVersion: '1.3.0',
  });
});

test.each([
  [{ channel: 'beta' }, /of the channel beta/],
  [{ downloadUrl: 'http://vitrine.example/x' }, /expected fields/],
  [{ downloadUrl: 'javascript:alert(1)' }, /expected fields/],
  [{ version: '../1' }, /expected fields/],
  [{ version: '01.2.3' }, /expected fields/],
  [{ version: '99999999999999999999.0.0' }, /expected fields/],
  [{ version: '1.2.3-01' }, /expected fields/],
  [{ notes: 'x'.repeat(20_001) }, /expected fields/],
  [{ extra: 'field' }, /expected fields/],
])('a signed file with %j is refused', async (odd, reason) => {
  const { offer } = await server();

  const status = await offer({ ...newest, ...odd });
  expect(status.lastError).toMatch(reason);
  expect(status.latestVersion).toBeNull();
});

test('a failure of the service is reported without internal details', async () => {
  const { service, updates } = await server();
  service.status = 503;
  expect((await updates.check()).lastError).toBe('The update service answered with 503.');
  service.status = 0;
  expect((await updates.check()).lastError).toBe('The update service could not be reached.');
  Object.assign(service, { status: 200, body: '<html>' });
  expect((await updates.check()).lastError).toBe('The channel file is not JSON.');
});

test('another channel starts with an empty state', async () => {
  const { offer, updates, asked } = await server();
  await offer(newest);

  expect(await updates.change({ channel: 'beta' }, viewer)).toMatchObject({
    channel: 'beta',
    latestVersion: null,
  });
  await offer({ ...newest, channel: 'beta', version: '2.0.0-beta.1' });
  expect(asked.at(-1)).toBe('https://updates.example/vitrine/beta.json');
  expect(await updates.status()).toMatchObject({ latestVersion: '2.0.0-beta.1' });
});

test('without settings no request is sent, and the status says so', async () => {
  const { updates, asked } = await server({ isSet: false });

  expect((await updates.check()).lastError).toMatch(/--update-url/);
  expect(asked).toEqual([]);
});
