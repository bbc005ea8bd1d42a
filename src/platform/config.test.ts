import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, settings, type ConfigSources } from './config.ts';
import type { RawSettings } from './setting-in-use.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'vitrine-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const read = (flags: RawSettings = {}, env: ConfigSources['env'] = {}) =>
  readConfig({ flags: { data: '.', ...flags }, env, cwd });
const writeFile = (content: string) => writeFileSync(path.join(cwd, 'vitrine.json'), content);

describe('the settings', () => {
  test('have the defaults of the contract', () => {
    expect(readConfig({ flags: {}, env: {}, cwd })).toMatchObject({
      host: '127.0.0.1',
      port: 8360,
      data: path.join(cwd, 'data'),
      database: `sqlite:${path.join(cwd, 'data', 'vitrine.db')}`,
      libraries: [],
      logLevel: 'info',
      localCopiesGb: 20,
      watch: 'on',
      marketplaceMinutes: 60,
      rescanMinutes: 30,
      scanHours: 24,
      backupFolder: path.join(cwd, 'data/backups'),
      backupHours: 24,
      backupKeep: 7,
      keepJobsDays: 30,
      missingDays: 30,
      probeSeconds: 10,
      country: null,
      playbackRemuxes: 50,
      playbackConversions: 0,
      playbackReserved: 0,
      playbackHeight: 0,
      ffmpeg: null,
      transcoderCage: 'auto',
      transcoderHardware: 'none',
      playbackCacheGb: 10,
      logFormat: 'text',
      adminToken: null,
    });
  });

  test('are taken from the flag before the variable before the file', () => {
    writeFile('{"port": 1, "host": "file", "logLevel": "warn"}');

    const config = read({ port: '3' }, { VITRINE_PORT: '2', VITRINE_HOST: 'variable' });

    expect(config).toMatchObject({ port: 3, host: 'variable', logLevel: 'warn' });
  });

  test('can each be a flag, a variable and a key of the file', () => {
    expect(settings.map(({ key, flag, env }) => [key, flag, env])).toContainEqual([
      'licenseAuthority',
      'license-authority',
      'VITRINE_LICENSE_AUTHORITY',
    ]);
  });

  test('name libraries by type, name and a path that may hold colons', () => {
    const { libraries } = read({ library: ['movies:Films:a:b', 'tv:Series:/tv'] });

    expect(libraries).toEqual([
      { type: 'movies', name: 'Films', path: path.join(cwd, 'a:b') },
      { type: 'tv', name: 'Series', path: '/tv' },
    ]);
  });

  test('name where blobs are, with the keys of the environment, and an internal port', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    const bucket = read({ blobs: 's3://media/vitrine/', internalListen: '[::1]:8361' }, keys);

    expect([bucket.blobs, bucket.blobKeys, bucket.internalListen]).toEqual([
      { kind: 's3', bucket: 'media', prefix: 'vitrine' },
      { accessKeyId: 'a', secretAccessKey: 'b' },
      { host: '::1', port: 8361 },
    ]);
    expect(read({ blobs: 'shared' }).blobs).toEqual({
      kind: 'folder',
      folder: path.join(cwd, 'shared'),
    });
    expect([read().blobs, read().blobKeys, read().internalListen]).toEqual([null, null, null]);
  });

  test('name hosts of the own network that plugins may ask', () => {
    const { netAllow } = read({ netAllow: ['NAS.local', '192.168.1.10:8096', '[::1]:80'] });

    expect(netAllow).toEqual(['nas.local', '192.168.1.10:8096', '[::1]:80']);
    expect(read().netAllow).toEqual([]);
    expect(read({ contact: 'me@example.org' }).contact).toBe('me@example.org');
  });

  test('say whose pages read what is answered to a token: every origin, some, none', () => {
    const origins = (...appOrigin: readonly string[]) => read({ appOrigin }).appOrigins;

    expect(read().appOrigins).toBeNull();
    expect(origins('*')).toBe('*');
    expect(origins('none')).toEqual([]);
    expect(origins('https://a.example.org', 'https://b.example.org')).toEqual([
      'https://a.example.org',
      'https://b.example.org',
    ]);
    expect(() => origins('https://a.example.org', '*')).toThrow(/^--app-origin \*: it must be one/);
    expect(() => origins('a.example.org')).toThrow(/^--app-origin a\.example\.org: it must be/);
  });

  test('look into the feed of the broker every five minutes, and never more than each minute', () => {
    const usual = { identityFeedMinutes: 5, identityMaxFeedAgeHours: 0 };
    expect(read()).toMatchObject(usual);
    expect(read({ identityFeedMinutes: '0' })).toMatchObject({ identityFeedMinutes: 1 });
  });

  test('take several libraries from the variable, one a line, and from a list in the file', () => {
    writeFile('{"library": ["music:Music:/m"]}');

    expect(read().libraries).toHaveLength(1);
    expect(read({}, { VITRINE_LIBRARY: 'tv:A:/a\ntv:B:/b' }).libraries).toHaveLength(2);
  });
});

describe('a setting that cannot be used is refused with one line that names it', () => {
  test.each([
    ['an unknown variable', () => read({}, { VITRINE_PROT: '1' }), /VITRINE_PROT/],
    ['a variable in wrong case', () => read({}, { VITRINE_port: '1' }), /VITRINE_PORT/],
    ['a port above 65535', () => read({ port: '65536' }), /--port 65536.*0 to 65535/],
    ['a port that is not a number', () => read({ port: '80a' }), /--port 80a/],
    ['an unknown log level', () => read({ logLevel: 'loud' }), /--log-level loud.*debug/],
    ['a database of another kind', () => read({ database: 'mysql://x' }), /--database mysql/],
    ['a library without a path', () => read({ library: ['movies:Films'] }), /TYPE:NAME:PATH/],
    ['a type in capitals', () => read({ library: ['Films:movies:/f'] }), /TYPE:NAME:PATH/],
    ['a name before the type', () => read({ library: ['films:movies:/f'] }), /TYPE is movies, tv/],
    [
      'a host with a scheme',
      () => read({ netAllow: 'http://a' }),
      /--net-allow http:\/\/a: it must/,
    ],
    ['no contact', () => read({ contact: 'me' }), /--contact me: it must be a mail address/],
    [
      'a contact that ends its brackets',
      () => read({ contact: 'https://example.org/) x' }),
      /--contact/,
    ],
    ['a host with port 0', () => read({ netAllow: 'a:0' }), /--net-allow a:0: it must be HOST/],
    ['films at a time', () => read({ playbackRemuxes: 'many' }), /--playback-remuxes many/],
    ['kept places', () => read({ playbackReserved: '-1' }), /--playback-reserved -1/],
    ['no cache', () => read({ playbackCacheGb: '0' }), /--playback-cache-gb 0.*1 to 100000/],
    ['a cage', () => read({ transcoderCage: 'off' }), /--transcoder-cage off.*auto, none/],
    ['a store without a bucket', () => read({ blobs: 's3://' }), /--blobs s3:\/\/.*bucket/],
    ['a store of another kind', () => read({ blobs: 'gs://a/b' }), /--blobs gs:\/\/a\/b/],
    ['a way out of a bucket', () => read({ blobs: 's3://abc/../d' }), /--blobs s3:.*such as/],
    ['a port alone', () => read({ internalListen: '8361' }), /--internal-listen 8361.*HOST:PORT/],
    ['a country', () => read({ country: 'Austria' }), /--country Austria.*two letters/],
    ['no seconds', () => read({ probeSeconds: '0' }), /--probe-seconds 0.*1 to 600/],
    ['days of jobs below 0', () => read({ keepJobsDays: '-1' }), /--keep-jobs-days -1.*0 to 36500/],
    ['days below 0', () => read({ missingDays: '-1' }), /--missing-days -1.*0 to 36500/],
    ['minutes below 0', () => read({ rescanMinutes: '-1' }), /--rescan-minutes -1.*0 to 525600/],
    ['every host', () => read({ netAllow: '*' }), /--net-allow \*: it must be HOST/],
    [
      'a public address without scheme',
      () => read({ publicUrl: 'a.b' }),
      /--public-url a\.b: it must/,
    ],
    [
      'an issuer that is not a key',
      () => read({ licenseIssuer: 'abc' }),
      /--license-issuer abc: .*64 hex/,
    ],
    ['a token that is none', () => read({}, { VITRINE_ADMIN_TOKEN: 'x' }), /VITRINE_ADMIN_TOKEN/],
  ])('%s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test.each([
    ['an unknown key', '{"prot": 1}', /prot in .*vitrine\.json/],
    ['the data folder inside itself', '{"data": "/x"}', /data in .*cannot be set inside/],
    ['a value of a wrong type', '{"port": true}', /port in .*text or a number/],
    ['no JSON', '{', /is not JSON/],
    ['no object', '[]', /one JSON object/],
  ])('in the file: %s', (_, content, message) => {
    writeFile(content);
    expect(() => read()).toThrow(message);
  });
});
