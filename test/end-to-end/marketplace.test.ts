/** The marketplace over HTTP: a whole server, and a source on the loopback. */
import { readdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateKey, type IndexVersion } from '../../kernel/run/packages/index.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPackage, createPublisher } from '../support/plugins/packages.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';
import { testByNight } from '../support/run/test-by-night.ts';

const publisher = createPublisher();
const actions = ['state', 'write'];
const permissions = { kv: { quotaMb: 1 } };
const sourceOf = (version: string): string => `export default { actions: {
  state: async (_, host) => ({ version: '${version}', kv: await host.kv.get({ key: 'a' }) }),
  write: async ({ text }, host) => { await host.kv.set({ key: 'a', value: text }); return null; },
} };`;

let site: MarketplaceSite;
let server: TestServer;

beforeAll(async () => {
  site = await startMarketplaceSite();
  server = await startServer({ env: { VITRINE_MARKETPLACE_MINUTES: '0' } });
});

afterAll(async () => {
  await server.stop();
  await site.close();
});

const at = '/api/plugins/marketplace';
const post = (route: string, body: object) => server.request('POST', `${at}/${route}`, body);
const publish = (version: string, more: object = {}) =>
  site.publish(
    { id: 'keeper', version, actions, permissions, ...more },
    { signer: publisher, source: sourceOf(version) },
  );
const act = async (method: string, body: object = {}) =>
  (await server.request('POST', `/api/plugins/keeper/actions/${method}`, body)).body;
const offers = async (query = '') =>
  (await server.get<{ plugins: readonly Record<string, unknown>[] }>(`${at}${query}`)).plugins;
/** Some of them wait for an admin. */
const builtins = readdirSync(path.resolve(import.meta.dirname, '../../builtin-plugins'));
const skippedReasons = async () => {
  const { skipped } = await server.get<{
    skipped: readonly { id: string; reason: string; message: string }[];
  }>('/api/plugins');
  return skipped
    .filter(({ id }) => !builtins.includes(id))
    .map(({ id, reason, message }) => `${id} ${reason}: ${message}`);
};
const refusal = (status: number, code: string) => ({
  status,
  body: { code, error: expect.any(String), message: expect.any(String) },
});

describe('the marketplace', () => {
  test('adds a source by the key that it has, and refuses another one', async () => {
    publish('1.0.0');
    const wrong = await post('sources', { url: site.indexUrl, publisherKey: 'ab'.repeat(32) });
    const added = await post('sources', { url: site.indexUrl, publisherKey: site.key.publicKey });
    const again = await post('sources', { url: site.indexUrl });

    expect(wrong).toEqual(refusal(422, 'PUBLISHER_CHANGED'));
    expect(added).toMatchObject({
      status: 201,
      body: { source: { name: 'A source', pluginCount: 1, error: null } },
    });
    expect(again.status).toBe(409);
    expect(await post('sources', { url: `${site.http.url}/gone.json` })).toEqual(
      refusal(502, 'DOWNLOAD_FAILED'),
    );
    site.replace('/bad.json', Buffer.from('{"name":"Bad"}'));
    expect(await post('sources', { url: `${site.http.url}/bad.json` })).toEqual(
      refusal(422, 'INDEX_INVALID'),
    );
    expect((await post('sources', { url: 'ftp://example.org/index.json' })).status).toBe(400);
    expect(await post('sources', { url: 'http://192.0.2.1/index.json' })).toEqual({
      status: 400,
      body: { error: expect.stringContaining('is not encrypted') as string },
    });
  });

  test('finds plugins by words, and says what is installed', async () => {
    expect(await offers('?q=keeper+test')).toMatchObject([
      {
        id: 'keeper',
        latest: '1.0.0',
        installed: null,
        versions: [{ version: '1.0.0', runs: true }],
      },
    ]);
    expect(await offers('?q=nothing')).toEqual([]);
    expect((await server.request('GET', `${at}?limit=501`)).status).toBe(400);
  });

  test('shows a plugin in the language of the reader, in words that its package must have', async () => {
    const reasons = { de: { net: 'Um nach Filmen zu fragen.' } };
    site.publish(
      { id: 'polyglot', version: '1.0.0', permissions: { net: ['a.example'] } },
      { signer: publisher, claims: { reasons } },
    );
    const translations = { de: { name: 'Sprachen' }, 'pt-BR': { description: 'Um teste.' } };
    site.change(({ plugins }) => ({
      plugins: plugins.map((one) => (one.id === 'polyglot' ? { ...one, translations } : one)),
    }));
    await post('refresh', {});
    const shownIn = async (locale: string, query: string) => {
      const headers = { authorization: `Bearer ${adminToken}`, 'accept-language': locale };
      const reply = await fetch(`${server.url}${at}?${query}`, { headers });
      const { plugins } = (await reply.json()) as { readonly plugins: readonly object[] };
      return plugins;
    };
    const german = { name: 'Sprachen', description: 'Written by a test.' };
    const sentence = 'Es kann an a.example senden und von dort lesen.';
    const sentences = [{ permission: 'net', sentence, reason: reasons.de.net }];

    expect(await shownIn('de-AT', 'q=sprachen')).toMatchObject([
      { ...german, versions: [{ sentences }] },
    ]);
    expect(await shownIn('pt-BR', 'id=polyglot')).toMatchObject([
      { name: 'polyglot', description: 'Um teste.' },
    ]);
    expect(await shownIn('fr', 'q=sprachen')).toEqual([]);
    expect(await post('install', { id: 'polyglot' })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('its reasons differ') as string },
    });
    site.change(({ plugins }) => ({ plugins: plugins.filter(({ id }) => id !== 'polyglot') }));
    await post('refresh', {});
  });

  test('installs a plugin that waits until it is granted what it asks for', async () => {
    const installed = await post('install', { id: 'keeper' });
    const waiting = await skippedReasons();
    await server.request('PUT', '/api/plugins/keeper/permissions', { granted: permissions });
    await act('write', { text: 'before' });

    expect(installed).toMatchObject({
      status: 200,
      body: {
        plugin: { id: 'keeper', version: '1.0.0', type: 'marketplace', state: 'discovered' },
      },
    });
    expect(waiting).toEqual([expect.stringMatching(/^keeper permissions-pending/)]);
    expect(await act('state')).toEqual({ result: { version: '1.0.0', kv: 'before' } });
    expect(await post('install', { id: 'keeper' })).toMatchObject({ status: 409 });
    expect(await post('install', { id: 'nothing' })).toEqual(refusal(404, 'NOT_FOUND'));
    expect(await post('rollback', { id: 'keeper' })).toEqual(refusal(404, 'NOT_FOUND'));
  });

  testByNight(
    'finds a version that was published since the last refresh, and asks no more for a while',
    async () => {
      const news = (version: string) =>
        site.publish({ id: 'news', version }, { signer: publisher });
      news('1.0.0');
      await post('refresh', {});
      await post('install', { id: 'news', granted: {} });
      news('1.1.0');

      const upgraded = await post('upgrade', { id: 'news' });
      const asked = site.http.requests.length;
      const again = await post('upgrade', { id: 'news' });

      expect(upgraded).toMatchObject({ status: 200, body: { plugin: { version: '1.1.0' } } });
      expect(again).toEqual(refusal(409, 'ALREADY_LATEST'));
      expect(site.http.requests).toHaveLength(asked);
      await server.request('DELETE', '/api/plugins/news');
      site.change(({ plugins }) => ({ plugins: plugins.filter(({ id }) => id !== 'news') }));
    },
  );

  test.each([{}, { id: 7 }, { id: 'keeper', more: 1 }, { id: 'nothing' }])(
    'answers error, code and message to an upgrade of %j',
    async (body) => {
      const { status, body: failure } = await post('upgrade', body);

      expect(failure).toEqual({
        error: expect.any(String),
        code: status === 404 ? 'NOT_FOUND' : 'invalid_request',
        message: expect.any(String),
      });
    },
  );

  test('upgrades it, its data stays, and goes back with the data as it was', async () => {
    publish('1.1.0');
    await post('refresh', {});
    const [offer] = await offers('?id=keeper');
    const upgraded = await post('upgrade', { id: 'keeper' });
    const after = await act('state');
    await act('write', { text: 'after' });
    const back = await post('rollback', { id: 'keeper' });

    expect(offer).toMatchObject({
      latest: '1.1.0',
      installed: { version: '1.0.0', canUpgrade: true, asksMore: [] },
    });
    expect(upgraded).toMatchObject({
      status: 200,
      body: { plugin: { version: '1.1.0', state: 'running' } },
    });
    expect(after).toEqual({ result: { version: '1.1.0', kv: 'before' } });
    expect(back).toMatchObject({ status: 200, body: { plugin: { version: '1.0.0' } } });
    expect(await act('state')).toEqual({ result: { version: '1.0.0', kv: 'before' } });
  });

  test('waits with an upgrade that asks for more, shows the difference, and takes consent', async () => {
    const more = { kv: { quotaMb: 1 }, net: ['api.example.org'] };
    publish('1.2.0', { permissions: more });
    await post('refresh', {});

    const waiting = await post('upgrade', { id: 'keeper' });
    const inGerman = await fetch(`${server.url}${at}/upgrade`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        'accept-language': 'de-AT',
      },
      body: JSON.stringify({ id: 'keeper' }),
    });
    const meanwhile = await act('state');
    const tooMuch = await post('upgrade', { id: 'keeper', granted: { library: 'write' } });
    const done = await post('upgrade', { id: 'keeper', granted: permissions });

    expect(waiting).toMatchObject({
      status: 200,
      body: {
        plugin: { version: '1.0.0', state: 'running' },
        waiting: { version: '1.2.0', asked: more, more: ['net was not asked for'] },
      },
    });
    expect(JSON.stringify(await inGerman.json())).toContain(
      'Es kann an api.example.org senden und von dort lesen.',
    );
    expect(meanwhile).toEqual({ result: { version: '1.0.0', kv: 'before' } });
    expect(tooMuch.status).toBe(400);
    expect(done).toMatchObject({ body: { plugin: { version: '1.2.0', state: 'running' } } });
    expect(await server.get('/api/plugins/keeper/permissions')).toMatchObject({
      granted: permissions,
    });
  });

  test.each<[string, string, (version: string) => void]>([
    [
      'SHA256_MISMATCH',
      'is another than the source promised',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions };
        site.publish(fields, { signer: publisher, claims: { sha256: 'ab'.repeat(32) } });
      },
    ],
    [
      'SHA256_MISMATCH',
      'is longer than the source promised',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions };
        site.publish(fields, { signer: publisher, claims: { size: 10 } });
      },
    ],
    [
      'INVALID_PACKAGE',
      'is not an archive',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions };
        const sha256 = 'b5c1fb2efc6d6b4674c2fdcc48ce01b43a3b7c03763c0c3355de0099ee0f8c73';
        site.publish(fields, { signer: publisher, claims: { sha256 } });
        site.replace(`/packages/keeper-${version}.vplugin`, Buffer.from('evil'));
      },
    ],
    [
      'PUBLISHER_CHANGED',
      'is signed by a stranger',
      (version) => {
        site.publish(
          { id: 'keeper', version, actions, permissions },
          { signer: createPublisher() },
        );
      },
    ],
    [
      'INVALID_MANIFEST',
      'asks for other things than the source says',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions };
        site.publish(fields, { signer: publisher, claims: { permissions: {} } });
      },
    ],
    [
      'INVALID_MANIFEST',
      'serves what the source does not say',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions, capabilities: ['search'] };
        site.publish(fields, { signer: publisher, claims: { permissions } });
      },
    ],
    [
      'INVALID_MANIFEST',
      'hears what the source does not say',
      (version) => {
        const subscriptions = { events: ['playback.*'] };
        const fields = { id: 'keeper', version, actions, permissions, subscriptions };
        site.publish(fields, { signer: publisher, claims: { permissions, subscriptions: {} } });
      },
    ],
    [
      'INCOMPATIBLE_VERSION',
      'needs a plugin that is not there',
      (version) => void publish(version, { dependencies: { other: '^1.0.0' } }),
    ],
    [
      'DOWNLOAD_FAILED',
      'is not there',
      (version) => {
        publish(version);
        site.replace(`/packages/keeper-${version}.vplugin`, null);
      },
    ],
    [
      'START_FAILED',
      'does not start',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions };
        site.publish(fields, {
          signer: publisher,
          source: 'throw new Error("No.");\nexport default {};',
        });
      },
    ],
    [
      'REVOKED',
      'is revoked',
      (version) => {
        const fields = { id: 'keeper', version, actions, permissions };
        site.publish(fields, { signer: publisher, claims: { revoked: 'It leaks.' } });
      },
    ],
  ])('answers %s when a version %s, and the old one runs on', async (code, what, make) => {
    const version = `2.0.${what.length}`;
    make(version);
    await post('refresh', {});

    const refused = await post('upgrade', { id: 'keeper', version });

    expect(refused).toEqual(refusal(code === 'DOWNLOAD_FAILED' ? 502 : 422, code));
    expect(await act('state')).toEqual({ result: { version: '1.2.0', kv: 'before' } });
    site.change(({ plugins }) => ({
      plugins: plugins.map((plugin) => ({
        ...plugin,
        publisherKey: publisher.publicKey,
        versions: plugin.versions.filter((one) => one.version !== version),
      })),
    }));
  });

  testByNight(
    'takes the package of a new key when the old one has signed a rotation to it',
    async () => {
      const next = createPublisher();
      site.publish(
        { id: 'keeper', version: '3.0.0', actions, permissions },
        { signer: next, source: sourceOf('3.0.0') },
      );
      await post('refresh', {});
      const before = await post('upgrade', { id: 'keeper' });
      const rotation = rotateKey(publisher, {
        to: next.publicKey,
        issuedAt: '2026-11-21T07:44:53.000Z',
        packages: [],
      });
      site.change(() => ({ rotations: [rotation] }));
      await post('refresh', {});

      const after = await post('upgrade', { id: 'keeper' });

      expect(before).toEqual(refusal(422, 'PUBLISHER_CHANGED'));
      expect(after).toMatchObject({ status: 200, body: { plugin: { version: '3.0.0' } } });
    },
  );

  test('knows what a source said while it is away, and says that it is', async () => {
    const good = Buffer.from(await (await fetch(site.indexUrl)).arrayBuffer());
    site.replace('/index.json', null);

    const { body } = await post('refresh', {});
    const known = await offers();
    site.replace('/index.json', good);

    expect(body).toMatchObject({ sources: [{ error: 'The source replied with status 404.' }] });
    expect(known).toHaveLength(1);
  });

  test('asks for an index only whether it has changed', async () => {
    await post('refresh', {});
    const before = site.http.requests.length;

    await post('refresh', {});

    const asked = site.http.requests.slice(before);
    expect(asked.map(({ headers }) => typeof headers['if-none-match'])).toEqual(['string']);
  });

  test('takes no index of another key, and none that is older than the known one', async () => {
    const errorAfter = async () => {
      const { body } = await post('refresh', {});
      return (body as { sources: readonly { error: string | null }[] }).sources[0]?.error;
    };
    site.change(() => ({ plugins: [] }), { signer: createPublisher() });
    const forged = await errorAfter();
    site.change(() => ({ plugins: [] }), { sequence: 1 });
    const older = await errorAfter();

    expect(forged).toMatch(/signed with a different key/);
    expect(older).toMatch(/it is outdated/);
    expect(await offers()).toHaveLength(1);
  });

  test('stops what is revoked within one refresh, says why, and keeps it so over a restart', async () => {
    const bytes = site.publish(
      { id: 'leaky', version: '1.0.0' },
      { signer: createPublisher(), source: 'export default {};' },
    );
    site.change((draft) => draft);
    await post('refresh', {});
    const installed = await post('install', { id: 'leaky' });
    site.change(({ plugins }) => ({
      plugins: plugins.map((plugin) => ({
        ...plugin,
        versions: plugin.versions.map((one) =>
          plugin.id === 'leaky' ? { ...one, revoked: 'It leaks.' } : one,
        ),
      })),
    }));

    await post('refresh', {});
    const stopped = await skippedReasons();
    await server.kill();
    server = await startServer({ data: server.data, env: { VITRINE_MARKETPLACE_MINUTES: '0' } });
    const restarted = await skippedReasons();

    expect(bytes.length).toBeGreaterThan(0);
    expect(installed).toMatchObject({ body: { plugin: { state: 'running' } } });
    expect(stopped).toEqual(['leaky revoked: A source revoked version 1.0.0: It leaks.']);
    expect(restarted).toEqual(stopped);
    expect(await post('install', { id: 'leaky' })).toMatchObject({ status: 409 });
    const inGerman = async (route: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${adminToken}`, 'accept-language': 'de-AT' };
      return (await fetch(`${server.url}${route}`, { headers })).json();
    };
    const why = 'A source hat die Version 1.0.0 widerrufen: It leaks.';
    expect(await inGerman('/api/plugins/marketplace?id=leaky')).toMatchObject({
      plugins: [{ installed: { revoked: why }, versions: [{ revoked: 'It leaks.' }] }],
    });
    expect(await inGerman('/api/plugins')).toMatchObject({
      skipped: expect.arrayContaining([
        expect.objectContaining({ id: 'leaky', reason: 'revoked', message: why }),
      ]),
    });
  });

  testByNight('skips a package whose files somebody changed, and says so', async () => {
    const packages = path.join(server.data, 'packages');
    for (const name of await readdir(packages)) {
      const file = path.join(packages, name, 'index.js');
      const text = await readFile(file, 'utf8');
      if (text.includes('3.0.0')) await writeFile(file, `${text}// changed`);
    }
    await server.kill();
    server = await startServer({ data: server.data, env: { VITRINE_MARKETPLACE_MINUTES: '0' } });

    expect(await skippedReasons()).toContainEqual(
      'keeper invalid-signature: index.js is not the file that was signed.',
    );
  });

  testByNight(
    'installs what was published when files could be asked to write, and reads it as reading',
    async () => {
      const written = { permissions: { files: 'write' }, capabilities: ['artwork'] };
      site.publish(
        { id: 'older', version: '1.0.0', ...written },
        { signer: createPublisher(), claims: written as unknown as Partial<IndexVersion> },
      );
      await post('refresh', {});
      const [offer] = await offers('?q=older');
      const installed = await post('install', { id: 'older', granted: { files: 'write' } });

      expect(offer).toMatchObject({
        versions: [{ permissions: { files: 'read' }, capabilities: [] }],
      });
      expect(installed).toMatchObject({ status: 200, body: { plugin: { state: 'running' } } });
      const asked = await server.get('/api/plugins/older/permissions');
      expect(asked).toMatchObject({ asked: { files: 'read' }, granted: { files: 'read' } });
      expect((await server.request('DELETE', '/api/plugins/older')).status).toBe(204);
    },
  );

  testByNight(
    'installs a package file of the same publisher, and refuses every other one',
    async () => {
      const author = createPublisher();
      const file = (version: string, signer = author): string =>
        Buffer.from(createPackage({ id: 'filed', version }, { signer })).toString('base64');
      const send = (text: string) =>
        server.request('POST', '/api/plugins/packages', { file: text });
      const installed = await send(file('1.1.0'));

      expect(installed).toMatchObject({ status: 200, body: { plugin: { version: '1.1.0' } } });
      expect(await send(file('1.0.0'))).toEqual(refusal(409, 'ALREADY_LATEST'));
      expect(await send(file('1.2.0', createPublisher()))).toEqual(
        refusal(422, 'PUBLISHER_CHANGED'),
      );
      expect(await send(file('1.2.0').slice(0, -8))).toEqual(refusal(422, 'INVALID_PACKAGE'));
      expect(await send('../etc/passwd')).toMatchObject({ status: 400 });
      const large = await send('A'.repeat(14_100_000));
      expect([large.status, large.body]).toEqual([
        413,
        expect.objectContaining({ error: 'The body is above 13.3 MiB.' }),
      ]);
      const look = await server.request('POST', '/api/plugins/packages/look', {
        file: file('1.2.0'),
      });
      expect(look).toMatchObject({ status: 200, body: { version: '1.2.0', replaces: '1.1.0' } });
      expect(await send(file('1.2.0'))).toMatchObject({ body: { plugin: { version: '1.2.0' } } });
      expect((await server.request('DELETE', '/api/plugins/filed')).status).toBe(204);
    },
  );

  test('removes a plugin with everything that belongs to it', async () => {
    const removed = await server.request('DELETE', '/api/plugins/keeper');
    const builtin = await server.request('DELETE', '/api/plugins/search');
    await post('refresh', {});

    expect(removed.status).toBe(204);
    expect((await server.request('GET', '/api/plugins/keeper')).status).toBe(404);
    expect(builtin.status).toBe(409);
    const [source] = (await server.get<{ sources: readonly { id: string }[] }>(`${at}/sources`))
      .sources;
    expect((await server.request('DELETE', `${at}/sources/${source?.id ?? ''}`)).status).toBe(204);
    expect((await server.request('DELETE', '/api/plugins/leaky')).status).toBe(204);
  });

  test('leaves an entry in the audit log for each act, and for what the server did by itself', async () => {
    const { entries } = await server.get<{ entries: readonly { action: string }[] }>(
      '/api/audit?limit=500',
    );

    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'marketplace.source_added',
        'marketplace.source_removed',
        'plugin.installed',
        'plugin.upgraded',
        'plugin.rolled_back',
        'plugin.revoked',
        'plugin.uninstalled',
      ]),
    );
  });
});
