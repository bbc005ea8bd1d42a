import { createHash, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import type { DispatchViewer } from '../../call/dispatch-viewer.ts';
import { KernelError } from '../../errors.ts';
import { putPackage } from '../packages/package-store.ts';
import { pluginMigrations } from '../plugin-migrations.ts';
import { createSecretsService } from './secrets-service.ts';
import { createSecrets } from './secrets.ts';
import { restoreSecrets, backUpSecrets, removeSecrets } from './secret-store.ts';

const asked: Permissions = { secrets: true, net: ['api.example.org', '*.films.example'] };

async function open(key = randomBytes(32)) {
  const { database } = await openTestStorage({ migrations: [pluginMigrations] });
  const clock = createFakeClock();
  const secretsWith = (serverKey: Buffer) =>
    createSecrets({
      database,
      seal: createSecretBox(serverKey, randomBytes),
      clock,
      random: (count) => Buffer.alloc(count, 7),
      askedBy: (id) => {
        if (id === 'modest') return {};
        if (id.startsWith('film')) return asked;
        throw new KernelError('not_found', `Plugin ${id}`);
      },
      hasScope: async (scope) => 'libraryId' in scope && scope.libraryId === 'films',
    });
  const secrets = secretsWith(key);
  const service = createSecretsService(secrets);
  return {
    database,
    clock,
    secrets,
    secretsWith,
    host: callService(service, { secrets: true }, 'film-index'),
    neighbour: callService(service, { secrets: true }, 'film-guide'),
  };
}

const value = 'k3y-of-sixteen-or-more';

describe('a secret that an admin sets', () => {
  test('is listed with its hosts and its age, and its value is nowhere in the list', async () => {
    const { secrets, host } = await open();

    const put = await secrets.put('film-index', {
      name: 'apiKey',
      value,
      hosts: ['api.example.org', 'de.films.example:8443'],
    });

    const described = {
      name: 'apiKey',
      scope: 'plugin',
      hosts: ['api.example.org', 'de.films.example:8443'],
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    };
    expect(put).toEqual({ ...described, isLost: false });
    expect(await secrets.list('film-index')).toEqual([put]);
    expect(await host('list', {})).toEqual({ secrets: [described] });
    expect(JSON.stringify([put, await host('list', {})])).not.toContain(value);
  });

  test('is sealed in the database, bound to its plugin, its scope and its name', async () => {
    const { secrets, database } = await open();
    await secrets.put('film-index', { name: 'apiKey', value });
    const [row] = await database.read<{ readonly sealed: string }>('plugin_secrets').select();

    expect(JSON.stringify(row)).not.toContain(value);
    expect(JSON.stringify(row)).not.toContain(Buffer.from(value).toString('base64'));
    for (const moved of [
      { plugin_id: 'film-guide' },
      { scope: 'library:films' },
      { name: 'other' },
    ]) {
      await database.write((trx) => trx('plugin_secrets').insert({ ...row, ...moved }));
    }
    const scope = { libraryId: 'films' };
    expect(await secrets.open('film-guide', { name: 'apiKey' })).toBeNull();
    expect(await secrets.open('film-index', { name: 'apiKey', scope })).toBeNull();
    expect(await secrets.open('film-index', { name: 'other' })).toBeNull();
    expect((await secrets.open('film-index', { name: 'apiKey' }))?.value).toEqual(
      Buffer.from(value),
    );
  });

  test('of a library or a user is not listed while the plugin works for a person', async () => {
    const { secrets } = await open();
    await secrets.put('film-index', { name: 'apiKey', value });
    await secrets.put('film-index', { name: 'apiKey', scope: { libraryId: 'films' }, value });
    const list = createSecretsService(secrets).methods['list'];
    const viewer: DispatchViewer = {
      identity: 'kid',
      shownTo: () => ({ role: 'user', profile: 'k', locale: null }),
    };
    const { signal } = new AbortController();
    const caller = { pluginId: 'film-index', granted: {}, reach: 'all', signal } as const;

    const scopesFor = async (person: DispatchViewer | null) => {
      const given = await list?.run({}, { ...caller, viewer: person });
      return (given as { secrets: readonly { scope: unknown }[] }).secrets.map(
        ({ scope }) => scope,
      );
    };
    expect(await scopesFor(null)).toEqual([{ libraryId: 'films' }, 'plugin']);
    expect(await scopesFor(viewer)).toEqual(['plugin']);
  });

  test('of a profile is for that profile alone while the plugin works for a person', async () => {
    const { secrets } = await open();
    for (const scope of [{ profile: 'of-kid' }, { profile: 'of-other' }, undefined])
      await secrets.put('film-index', { name: 'token', value, ...(scope && { scope }) });
    const viewer: DispatchViewer = {
      identity: 'kid',
      shownTo: (id) => ({
        role: 'user',
        profile: id === 'film-index' ? 'of-kid' : 'elsewhere',
        locale: null,
      }),
    };
    const kid = callService(
      createSecretsService(secrets),
      { secrets: true },
      { pluginId: 'film-index', viewer },
    );
    const own = { name: 'own', scope: { profile: 'of-kid' } };
    const others = { name: 'own', scope: { profile: 'of-other' } };

    expect(await kid('list', {})).toMatchObject({
      secrets: [{ scope: 'plugin' }, { scope: { profile: 'of-kid' } }],
    });
    expect(await kid('create', own)).toEqual({ created: true });
    await expect(kid('create', others)).rejects.toMatchObject({ code: 'permission_denied' });
    expect((await secrets.list('film-index')).map(({ name, scope }) => ({ name, scope }))).toEqual([
      { name: 'token', scope: 'plugin' },
      own,
      { name: 'token', scope: { profile: 'of-kid' } },
      { name: 'token', scope: { profile: 'of-other' } },
    ]);
  });

  test('of a profile can be used but not created while the plugin works for no person', async () => {
    const { secrets, host } = await open();
    const scope = { profile: 'of-kid' };
    await secrets.put('film-index', { name: 'token', value, scope });

    expect(await host('list', {})).toMatchObject({ secrets: [{ scope }] });
    expect(await host('sign', { name: 'token', scope, messages: ['a'] })).toEqual({
      signature: createHmac('sha256', value).update('a').digest('base64'),
    });
    await expect(host('create', { name: 'own', scope })).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('profile for which it does not work'),
    });
    expect(await host('remove', { name: 'token', scope })).toEqual({ removed: true });
  });

  test('has another version whenever it is set again', async () => {
    const { secrets } = await open();
    const versionNow = async () => {
      await secrets.put('film-index', { name: 'apiKey', value });
      return (await secrets.open('film-index', { name: 'apiKey' }))?.version;
    };

    expect(await versionNow()).not.toBe(await versionNow());
  });

  test('is kept for a library apart from that of the plugin, and goes with the library', async () => {
    const { secrets, database } = await open();
    const scope = { libraryId: 'films' };
    await secrets.put('film-index', { name: 'apiKey', value });
    await secrets.put('film-index', { name: 'apiKey', scope, value: `${value}-2` });

    expect((await secrets.open('film-index', { name: 'apiKey', scope }))?.value).toEqual(
      Buffer.from(`${value}-2`),
    );
    await database.write((trx) => secrets.forget(trx, scope));
    expect((await secrets.list('film-index')).map((one) => one.scope)).toEqual(['plugin']);
  });

  test('is reported as lost when the server has another key', async () => {
    const { secrets, secretsWith } = await open();
    await secrets.put('film-index', { name: 'apiKey', value });

    const later = secretsWith(randomBytes(32));

    expect(await later.list('film-index')).toMatchObject([{ name: 'apiKey', isLost: true }]);
    expect([await secrets.lost(), await later.lost()]).toEqual([[], ['film-index']]);
    expect(await later.open('film-index', { name: 'apiKey' })).toBeNull();
    const host = callService(createSecretsService(later), { secrets: true }, 'film-index');
    await expect(host('sign', { name: 'apiKey', messages: ['a'] })).rejects.toMatchObject({
      code: 'not_found',
      message: 'The key that opens Secret apiKey (set the secret again) does not exist.',
    });
  });

  test('is not stored when another write of its transaction fails', async () => {
    const { secrets } = await open();

    const put = secrets.put('film-index', { name: 'apiKey', value }, () =>
      Promise.reject(new Error('The audit log is full.')),
    );

    await expect(put).rejects.toThrow('full');
    expect(await secrets.list('film-index')).toEqual([]);
  });

  test.each([
    [{ name: 'Api Key', value }, 'invalid_argument', '"Api Key" is not a name'],
    [{ name: 'a', value: 'abc' }, 'invalid_argument', 'value has 3 bytes'],
    [{ name: 'a', value: 'x'.repeat(16_385) }, 'invalid_argument', '4 to 16384'],
    [{ name: 'a', value: 'no base64!', encoding: 'base64' }, 'invalid_argument', 'base64'],
    [{ name: 'a', value, hosts: ['https://a'] }, 'invalid_argument', '"https://a" is not a host'],
    [{ name: 'a', value, hosts: ['*'] }, 'invalid_argument', '"*" is not a host'],
    [{ name: 'a', value, hosts: ['evil.example'] }, 'invalid_argument', 'asks for api.example.org'],
    [
      { name: 'a', value: 'a\r\nx-admin: 1', hosts: ['api.example.org'] },
      'invalid_argument',
      'no header can hold it',
    ],
    [{ name: 'a', value, scope: { libraryId: 'gone' } }, 'not_found', 'Library gone'],
    [{ name: 'a', value, scope: { userId: 'gone' } }, 'not_found', 'User gone'],
  ] as const)('is refused as %j', async (secret, code, message) => {
    const { secrets } = await open();

    const put = secrets.put('film-index', secret);

    await expect(put).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    await expect(put).rejects.not.toMatchObject({ message: expect.stringContaining(value) });
  });

  test('is refused for a plugin that asks for none, or is unknown', async () => {
    const { secrets } = await open();

    await expect(secrets.put('modest', { name: 'a', value })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'Plugin modest does not ask for secrets.',
    });
    await expect(secrets.put('nobody', { name: 'a', value })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is refused beyond 256 of one plugin, and can still be replaced', async () => {
    const { secrets, host } = await open();
    const set = Array.from({ length: 256 }, (_, no) => ({ name: `a${no}`, value }));
    await secrets.change('film-index', { set, removed: [] });

    const full = { code: 'quota_exceeded', message: expect.stringContaining('256') };
    await expect(secrets.put('film-index', { name: 'b', value })).rejects.toMatchObject(full);
    await expect(host('create', { name: 'b' })).rejects.toMatchObject(full);
    await secrets.put('film-index', { name: 'a7', value: `${value}-2` });
    await secrets.put('film-guide', { name: 'b', value });
    await secrets.put('film-index', { name: 'b', value, scope: { profile: 'of-kid' } });
  });

  test('is refused beyond 64 of one profile, which leaves the room of others', async () => {
    const { secrets } = await open();
    const scope = { profile: 'of-kid' };
    const set = Array.from({ length: 64 }, (_, no) => ({ name: `a${no}`, scope, value }));
    await secrets.change('film-index', { set, removed: [] });

    await expect(secrets.put('film-index', { name: 'b', scope, value })).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: 'In this plugin the profile has 64 secrets, which is the limit; remove one first.',
    });
    await secrets.put('film-index', { name: 'b', scope: { profile: 'of-other' }, value });
    await secrets.put('film-index', { name: 'b', value });
    expect(await secrets.list('film-index', { profile: 'of-other' })).toMatchObject([
      { name: 'b', scope: { profile: 'of-other' } },
    ]);
  });

  test('is changed with others and what goes along, or not at all', async () => {
    const { secrets } = await open();
    await secrets.put('film-index', { name: 'old', value });
    const change = { set: [{ name: 'new', value }], removed: [{ name: 'old' }] };
    const names = async () => (await secrets.list('film-index')).map(({ name }) => name);

    const failing = secrets.change('film-index', change, () => Promise.reject(new Error('full')));
    await expect(failing).rejects.toThrow('full');
    const wrong = { ...change, set: [...change.set, { name: 'short', value: 'abc' }] };
    await expect(secrets.change('film-index', wrong)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(await names()).toEqual(['old']);

    await secrets.change('film-index', change, (trx) =>
      trx('plugin_secrets').where({ name: 'new' }).update({ hosts: '["a.example"]' }),
    );
    expect(await names()).toEqual(['new']);
    expect((await secrets.open('film-index', { name: 'new' }))?.hosts).toEqual(['a.example']);
  });
});

describe('host.secrets', () => {
  test('creates a secret of random bytes once, and deletes it', async () => {
    const { host, secrets } = await open();

    expect(await host('create', { name: 'own' })).toEqual({ created: true });
    expect(await host('create', { name: 'own' })).toEqual({ created: false });
    expect((await secrets.open('film-index', { name: 'own' }))?.value).toEqual(Buffer.alloc(32, 7));
    expect(await secrets.list('film-index')).toMatchObject([{ name: 'own', hosts: [] }]);
    expect(await host('remove', { name: 'own' })).toEqual({ removed: true });
    expect(await host('remove', { name: 'own' })).toEqual({ removed: false });
  });

  test('signs as an HMAC of the same bytes does, in base64 and hex', async () => {
    const { host, secrets } = await open();
    await secrets.put('film-index', { name: 'key', value });
    const expected = (algorithm: string) => createHmac(algorithm, value).update('1.2.{}');

    expect(await host('sign', { name: 'key', messages: ['1.2.{}'] })).toEqual({
      signature: expected('sha256').digest('base64'),
    });
    const input = { name: 'key', messages: ['1.2.{}'], algorithm: 'sha512', encoding: 'hex' };
    expect(await host('sign', input)).toEqual({ signature: expected('sha512').digest('hex') });
  });

  test('signs with the bytes that base64 stands for', async () => {
    const { host, secrets } = await open();
    const bytes = randomBytes(32);
    await secrets.put('film-index', {
      name: 'whsec',
      value: bytes.toString('base64'),
      encoding: 'base64',
    });

    expect(await host('sign', { name: 'whsec', messages: ['zoë'] })).toEqual({
      signature: createHmac('sha256', bytes).update('zoë').digest('base64'),
    });
  });

  test('derives keys one after the other as AWS Signature 4 does', async () => {
    const { host, secrets } = await open();
    await secrets.put('film-index', {
      name: 'aws',
      value: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    });

    // The key of the example in Amazon's documentation: 20150830, us-east-1, iam.
    expect(
      await host('sign', {
        name: 'aws',
        prefix: 'AWS4',
        messages: ['20150830', 'us-east-1', 'iam', 'aws4_request'],
        encoding: 'hex',
      }),
    ).toEqual({ signature: 'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9' });
  });

  test('knows no secret of another plugin', async () => {
    const { host, neighbour, secrets } = await open();
    await secrets.put('film-index', { name: 'key', value });

    await expect(neighbour('sign', { name: 'key', messages: ['a'] })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Secret key does not exist.',
    });
    expect(await neighbour('list', {})).toEqual({ secrets: [] });
    expect(await neighbour('remove', { name: 'key' })).toEqual({ removed: false });
    expect(await host('sign', { name: 'key', messages: ['a'] })).toHaveProperty('signature');
  });

  test('hashes texts and secrets one after the other', async () => {
    const { host, secrets } = await open();
    await secrets.put('film-index', { name: 'key', value: 'a-shared-secret-of-a-service' });

    const parts = ['api_keyxxx', { name: 'key' }, 'end'];
    const hash = createHash('md5').update('api_keyxxxa-shared-secret-of-a-serviceend');
    expect(await host('digest', { algorithm: 'md5', parts })).toEqual({
      digest: hash.digest('hex'),
    });
  });

  test('refuses secrets that could be guessed from hashes', async () => {
    const { host, secrets } = await open();
    await secrets.put('film-index', { name: 'pin', value: 'hunter2' });

    await expect(
      host('digest', { algorithm: 'md5', parts: [{ name: 'pin' }] }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('fewer than 16 bytes'),
    });
  });

  test('refuses keys that could be guessed from signatures', async () => {
    const { host, secrets } = await open();
    await secrets.put('film-index', { name: 'pin', value: 'hunter2' });

    await expect(host('sign', { name: 'pin', messages: ['a'] })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('fewer than 16 bytes'),
    });
  });

  test.each([
    ['sign', { name: 'key', messages: [] }],
    ['sign', { name: 'key', messages: Array.from({ length: 9 }, () => 'a') }],
    ['sign', { name: 'key', messages: ['a'], algorithm: 'md5' }],
    ['sign', { name: 'key', messages: ['a'], encoding: 'utf8' }],
    ['sign', { name: '../key', messages: ['a'] }],
    ['create', { name: 'key', scope: { libraryId: 'films', userId: 'anna' } }],
    ['create', { name: 'key', value: 'chosen' }],
    ['list', { pluginId: 'film-guide' }],
  ])('refuses host.secrets.%s(%j)', async (method, input) => {
    const { host } = await open();

    await expect(host(method, input)).rejects.toThrow(/schema/);
  });

  test('refuses messages of more than 1 MiB in all', async () => {
    const { host } = await open();
    const messages = ['x'.repeat(600_000), 'x'.repeat(600_000)];

    await expect(host('sign', { name: 'key', messages })).rejects.toMatchObject({
      code: 'too_large',
    });
  });
});

describe('the secrets of a plugin that is upgraded', () => {
  const kept = 'film-index#1.0.0';
  const namesIn = async (secrets: Awaited<ReturnType<typeof open>>['secrets']) =>
    (await secrets.list('film-index')).map(({ name }) => name);

  async function upgraded() {
    const opened = await open();
    const { database, secrets, host } = opened;
    await secrets.put('film-index', { name: 'apiKey', value });
    await secrets.put('film-index', { name: 'leaked', value });
    await host('create', { name: 'own' });
    const version = { version: '1.0.0', sha256: 'a', publisherKey: 'b' };
    await database.write(async (trx) => {
      await backUpSecrets(trx, 'film-index', kept);
      await putPackage(trx, {
        ...version,
        pluginId: 'film-index',
        source: null,
        phase: 'watched',
        phaseAt: 0,
        revoked: null,
        earlier: [{ ...version, settings: null, leftAt: 0, kept }],
      });
    });
    return opened;
  }

  test('are restored by a rollback, except for what an admin changed since', async () => {
    const { secrets, host, database } = await upgraded();
    await host('remove', { name: 'own' });
    await host('create', { name: 'newer' });
    await secrets.put('film-index', { name: 'apiKey', value: `${value}-rotated` });
    await secrets.remove('film-index', { name: 'leaked' });

    await database.write((trx) => restoreSecrets(trx, 'film-index', kept));

    expect(await namesIn(secrets)).toEqual(['apiKey', 'own']);
    expect((await secrets.open('film-index', { name: 'apiKey' }))?.value).toEqual(
      Buffer.from(`${value}-rotated`),
    );
  });

  test('are deleted with their profile, under its name in each plugin, and a rollback restores none', async () => {
    const { secrets, database } = await open();
    const put = (pluginId: string, profile: string) =>
      secrets.put(pluginId, { name: 'token', scope: { profile }, value });
    await put('film-index', 'kid-in-film-index');
    await put('film-index', 'other-in-film-index');
    await put('film-guide', 'kid-in-film-guide');
    // In this plugin the profile has another name, so this name is another profile.
    await put('film-guide', 'kid-in-film-index');
    await database.write((trx) => backUpSecrets(trx, 'film-index', kept));

    await database.write((trx) => secrets.forgetProfile(trx, (pluginId) => `kid-in-${pluginId}`));

    const scopesOf = async (pluginId: string) =>
      (await secrets.list(pluginId)).map(({ scope }) => scope);
    expect(await scopesOf('film-index')).toEqual([{ profile: 'other-in-film-index' }]);
    expect(await scopesOf('film-guide')).toEqual([{ profile: 'kid-in-film-index' }]);
    await database.write((trx) => restoreSecrets(trx, 'film-index', kept));
    expect(await scopesOf('film-index')).toEqual([{ profile: 'other-in-film-index' }]);
    expect(
      await secrets.open('film-index', {
        name: 'token',
        scope: { profile: 'other-in-film-index' },
      }),
    ).not.toBeNull();
  });

  test('are all deleted with the plugin, and with no other one', async () => {
    const { secrets, database } = await upgraded();
    await secrets.put('film-guide', { name: 'apiKey', value });

    await database.write(async (trx) => {
      for (const owner of ['film-index', kept]) await removeSecrets(trx, owner);
    });

    expect(await database.read('plugin_secrets').select('plugin_id')).toEqual([
      { plugin_id: 'film-guide' },
    ]);
  });
});
