/**
 * What was revoked stays revoked, and a key that was left signs nothing: from any host of the index, with an
 * old one, or steals a key that somebody has left.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateKey, type IndexVersion } from '../../kernel/run/packages/index.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPublisher } from '../support/plugins/packages.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const publisher = createPublisher();
const env = { VITRINE_MARKETPLACE_MINUTES: '0' };
const at = '/api/plugins/marketplace';
const dayMs = 86_400_000;

let site: MarketplaceSite;
/** The id of the source on the server. */
let source: string;
let server: TestServer;

beforeAll(async () => {
  site = await startMarketplaceSite('Honest');
  server = await startServer({ env });
  source = await addSource(site);
});

afterAll(async () => {
  await server.stop();
  await site.close();
});

const post = (route: string, body: object = {}) => server.request('POST', `${at}/${route}`, body);
const refresh = () => post('refresh');
const refused = (code: string, message: RegExp) => ({
  status: 422,
  body: { code, message: expect.stringMatching(message) as string },
});

async function addSource({ indexUrl }: MarketplaceSite): Promise<string> {
  const { body } = await post('sources', { url: indexUrl });
  return (body as { source: { id: string } }).source.id;
}

const problemOf = async (id: string) => {
  const { sources } = (await refresh()).body as {
    sources: readonly { id: string; error: string | null }[];
  };
  return sources.find((one) => one.id === id)?.error;
};

function publish(id: string, version: string, signer = publisher, to = site): Uint8Array {
  const code = `console.log('top level of ${version}'); export default {};`;
  return to.publish({ id, version }, { signer, source: code });
}

/** Changes what the source says of versions of a plugin. */
const say = (
  id: string,
  edit: (version: IndexVersion) => IndexVersion,
  { change }: MarketplaceSite = site,
): void =>
  change(({ plugins }) => ({
    plugins: plugins.map((plugin) =>
      plugin.id === id ? { ...plugin, versions: plugin.versions.map(edit) } : plugin,
    ),
  }));

const revoke = (id: string, version: string): void =>
  say(id, (one) => (one.version === version ? { ...one, revoked: 'It leaks.' } : one));
const takeBack = (id: string, at = site): void =>
  say(id, ({ revoked: _revoked, ...one }) => one, at);

/** Of a plugin that is there: its version and state, or why it is left out. */
async function stateOf(id: string): Promise<string> {
  const { plugins, skipped } = await server.get<{
    plugins: readonly { id: string; version: string; state: string }[];
    skipped: readonly { id: string; version: string; reason: string }[];
  }>('/api/plugins');
  const left = skipped.find((one) => one.id === id);
  const found = plugins.find((one) => one.id === id);
  return left
    ? `${left.version} ${left.reason}`
    : `${found?.version ?? ''} ${found?.state ?? 'is not there'}`;
}

const topLevels = async (id: string): Promise<readonly string[]> => {
  const { lines } = await server.get<{ lines: readonly { text: string }[] }>(
    `/api/plugins/${id}/logs`,
  );
  return lines.map(({ text }) => text).filter((text) => text.startsWith('top level'));
};

describe('a version that was revoked', () => {
  test('is not gone back to, and none of it runs', async () => {
    publish('returner', '1.0.0');
    await refresh();
    await post('install', { id: 'returner' });
    publish('returner', '2.0.0');
    await refresh();
    await post('upgrade', { id: 'returner' });
    const before = await topLevels('returner');
    revoke('returner', '1.0.0');
    await refresh();

    const rollback = await post('rollback', { id: 'returner' });

    expect(rollback).toMatchObject(
      refused('REVOKED', /no version to go back to. Honest revoked version 1.0.0: It leaks/),
    );
    expect(await stateOf('returner')).toBe('2.0.0 running');
    expect(await topLevels('returner')).toEqual(before);
  });

  test('is revoked on, when its source is removed, and when it is added again with an old index', async () => {
    publish('frozen', '1.0.0');
    await refresh();
    await post('install', { id: 'frozen' });
    const old = site.served();
    revoke('frozen', '1.0.0');
    const now = site.served();
    await refresh();
    const stopped = await stateOf('frozen');

    site.replace('/index.json', old);
    const served = await problemOf(source);
    await server.request('DELETE', `${at}/sources/${source}`);
    const withoutSource = await stateOf('frozen');
    const again = await post('sources', { url: site.indexUrl });
    const withOldSource = await stateOf('frozen');
    site.replace('/index.json', now);
    source = await addSource(site);

    expect(stopped).toBe('1.0.0 revoked');
    expect(served).toMatch(/has the sequence \d+, but \d+ was seen before: it is outdated/);
    expect(withoutSource).toBe(stopped);
    expect(again).toMatchObject(refused('INDEX_INVALID', /it is outdated/));
    expect(withOldSource).toBe(stopped);
    expect(await stateOf('frozen')).toBe(stopped);
  });

  test('is not allowed again by another source, and not installed from there', async () => {
    const other = await startMarketplaceSite('Other');
    say('frozen', (one) => one, other);
    const bytes = publish('frozen', '1.0.0', publisher, other);
    publish('late', '1.0.0');
    revoke('late', '1.0.0');
    publish('late', '1.0.0', publisher, other);
    const otherId = await addSource(other);
    await refresh();

    const install = await post('install', { id: 'late', source: otherId });
    const state = await stateOf('frozen');
    await server.request('DELETE', `${at}/sources/${otherId}`);
    await other.close();

    expect(bytes.length).toBeGreaterThan(0);
    expect(install).toMatchObject(refused('REVOKED', /Honest revoked version 1.0.0: It leaks/));
    expect(state).toBe('1.0.0 revoked');
    expect(await stateOf('late')).toBe(' is not there');
  });

  test('is allowed again by the source that revoked it, in a later index', async () => {
    takeBack('frozen');
    await refresh();

    expect(await stateOf('frozen')).toBe('1.0.0 running');
  });
});

describe('a version that was rolled back', () => {
  test('is told of once, and is not offered again to anybody who does not name it', async () => {
    publish('flaky', '1.0.0');
    await refresh();
    await post('install', { id: 'flaky' });
    const broken = { signer: publisher, source: 'throw new Error("No."); export default {};' };
    site.publish({ id: 'flaky', version: '1.1.0' }, broken);
    await refresh();

    const first = await post('upgrade', { id: 'flaky' });
    const second = await post('upgrade', { id: 'flaky' });
    const { plugins } = await server.get<{ plugins: readonly object[] }>(`${at}?id=flaky`);
    const named = await post('upgrade', { id: 'flaky', version: '1.1.0' });
    const { notifications } = await server.get<{ notifications: readonly { title: string }[] }>(
      '/api/notifications?unread=true',
    );
    publish('flaky', '1.2.0');
    await refresh();
    const mended = await post('upgrade', { id: 'flaky' });

    expect(first).toMatchObject(refused('START_FAILED', /was taken back/));
    expect(second).toMatchObject({
      status: 409,
      body: {
        code: 'ALREADY_LATEST',
        message: expect.stringMatching(/1\.1\.0 was rolled back\. .*Name that version/) as string,
      },
    });
    const takenBack = [{ version: '1.1.0', reason: expect.stringContaining('No.') as string }];
    expect(plugins).toMatchObject([
      { latest: '1.0.0', installed: { canUpgrade: false, takenBack } },
    ]);
    expect(named).toMatchObject(refused('START_FAILED', /was taken back/));
    expect(notifications.map(({ title }) => title).filter((one) => /flaky/.test(one))).toEqual([
      'Version 1.1.0 of flaky was rolled back.',
    ]);
    expect(mended).toMatchObject({ status: 200, body: { plugin: { version: '1.2.0' } } });
  });
});

describe('a plugin that does not run', () => {
  test('is installed again when its files are damaged, and stays what it was', async () => {
    publish('dented', '1.0.0');
    await refresh();
    await post('install', { id: 'dented' });
    await server.request('POST', '/api/plugins/dented/disable');
    const packages = path.join(server.data, 'packages');
    for (const name of await readdir(packages)) {
      const manifest = await readFile(path.join(packages, name, 'manifest.json'), 'utf8');
      if (manifest.includes('dented'))
        await writeFile(path.join(packages, name, 'index.js'), 'export default {}; // changed');
    }
    await server.kill();
    server = await startServer({ data: server.data, env });
    const damaged = await stateOf('dented');
    const { plugins } = await server.get<{ plugins: readonly object[] }>(`${at}?id=dented`);

    const again = await post('install', { id: 'dented' });

    expect(damaged).toBe('1.0.0 invalid-signature');
    expect(plugins).toMatchObject([{ installed: { version: '1.0.0', isDamaged: true } }]);
    expect(again).toMatchObject({
      status: 200,
      body: { plugin: { version: '1.0.0', enabled: false } },
    });
    expect(await post('install', { id: 'dented' })).toMatchObject({ status: 409 });
  });

  test('says so to who installs it again, when it was revoked', async () => {
    publish('banned', '1.0.0');
    await refresh();
    await post('install', { id: 'banned' });
    revoke('banned', '1.0.0');
    await refresh();

    expect(await post('install', { id: 'banned' })).toMatchObject({
      status: 409,
      body: {
        error: expect.stringMatching(
          /banned 1\.0\.0 is installed and does not run\. Honest revoked .*or remove it/,
        ) as string,
      },
    });
  });
});

describe('an index', () => {
  test('with the sequence of another and other content is refused', async () => {
    const sequence = 1000;
    site.change(() => ({}), { sequence });
    await refresh();
    site.change(() => ({ name: 'Two-faced' }), { sequence });
    const problem = await problemOf(source);
    site.change(() => ({ name: 'Honest' }));

    expect(problem).toMatch(/has the sequence 1000 of an earlier one, but different/);
    expect(await problemOf(source)).toBeNull();
  });

  test('of another id does not take its place', async () => {
    const { indexId } = JSON.parse(Buffer.from(site.served()).toString()) as { indexId: string };
    site.change(() => ({ indexId: 'ab'.repeat(16) }));
    const problem = await problemOf(source);
    site.change(() => ({ indexId }));

    expect(problem).toMatch(/It now has a different index, not a later one/);
  });

  test('from before there was an end is refused, with what its publisher is to do', async () => {
    const older = await startMarketplaceSite('Older');
    const index = JSON.parse(Buffer.from(older.served()).toString()) as Record<string, unknown>;
    const { name, updatedAt, plugins, publisherKey, signature } = index;
    const text = JSON.stringify({ name, updatedAt, plugins, publisherKey, signature });
    older.replace('/index.json', Buffer.from(text));

    const added = await post('sources', { url: older.indexUrl });
    await older.close();

    expect(added).toMatchObject(refused('INDEX_INVALID', /Publish the packages with this version/));
  });

  test('that has expired offers nothing, is seen in health, and is told of once', async () => {
    const late = await startMarketplaceSite('Late');
    publish('lazy', '1.0.0', publisher, late);
    const lateId = await addSource(late);
    await post('install', { id: 'lazy' });
    publish('lazy', '1.1.0', publisher, late);
    late.change(() => ({}), {
      updatedAt: new Date(Date.now() - 20 * dayMs).toISOString(),
      expiresAt: new Date(Date.now() - dayMs).toISOString(),
    });
    publish('fresh', '1.0.0');
    for (let count = 0; count < 3; count += 1) await refresh();

    const upgrade = await post('upgrade', { id: 'lazy' });
    const { plugins } = await server.get<{ plugins: readonly object[] }>(`${at}?id=lazy`);
    const health = await server.get('/api/health');
    const { notifications } = await server.get<{ notifications: readonly { title: string }[] }>(
      '/api/notifications',
    );
    const other = await post('install', { id: 'fresh' });
    await server.request('DELETE', `${at}/sources/${lateId}`);
    const added = await post('sources', { url: late.indexUrl });
    await late.close();

    expect(upgrade).toMatchObject(
      refused('INDEX_EXPIRED', /Late offers lazy, but its index expired/),
    );
    expect(plugins).toMatchObject([
      { source: { isExpired: true }, installed: { canUpgrade: false } },
    ]);
    expect(health).toMatchObject({ status: 'degraded', marketplace: { expiredSources: 1 } });
    expect(notifications.filter(({ title }) => /Late has expired/.test(title))).toHaveLength(1);
    expect(other.status).toBe(200);
    expect(added).toMatchObject(refused('INDEX_EXPIRED', /its publisher must sign it again/));
    expect(await server.get('/api/health')).not.toHaveProperty('marketplace');
  });
});

describe('a key that was left', () => {
  const [old, next, thief] = [createPublisher(), createPublisher(), createPublisher()];
  const issuedAt = '2026-11-21T07:44:53.000Z';

  test('signs no new package, and another record by it leads nowhere', async () => {
    publish('moved', '1.0.0', old);
    await refresh();
    await post('install', { id: 'moved' });
    const honest = rotateKey(old, { to: next.publicKey, issuedAt, packages: [] });
    site.change(() => ({ rotations: [honest] }));
    await refresh();
    // An attacker with the old key and the source omits the record or writes another one.
    publish('moved', '1.1.0', old);
    const stolen = rotateKey(old, { to: thief.publicKey, issuedAt, packages: [] });
    site.change(() => ({ rotations: [] }));
    await refresh();
    const byTheOld = await post('upgrade', { id: 'moved' });
    publish('moved', '1.2.0', thief);
    site.change(() => ({ rotations: [stolen] }));
    await refresh();
    const byTheThief = await post('upgrade', { id: 'moved' });
    publish('moved', '1.3.0', next);
    await refresh();
    const byTheNext = await post('upgrade', { id: 'moved' });

    expect(byTheOld).toMatchObject(refused('PUBLISHER_CHANGED', /a key that was replaced by/));
    expect(byTheThief).toMatchObject(refused('PUBLISHER_CHANGED', /no rotation replaces that key/));
    expect(byTheNext).toMatchObject({ status: 200, body: { plugin: { version: '1.3.0' } } });
  });

  test('signs no index, also when its source is added again', async () => {
    const moving = await startMarketplaceSite('Moving');
    const movingId = await addSource(moving);
    const to = createPublisher();
    const record = rotateKey(moving.key, { to: to.publicKey, issuedAt, packages: [] });
    moving.change(() => ({ rotations: [record] }), { signer: to });
    const followed = await problemOf(movingId);
    moving.change(() => ({ rotations: [] }));
    const byTheOld = await problemOf(movingId);
    await server.request('DELETE', `${at}/sources/${movingId}`);
    const again = await post('sources', { url: moving.indexUrl });
    await moving.close();

    expect(followed).toBeNull();
    expect(byTheOld).toMatch(/signed with a different key/);
    expect(again).toMatchObject(refused('PUBLISHER_CHANGED', /a key that was replaced by/));
  });
});
