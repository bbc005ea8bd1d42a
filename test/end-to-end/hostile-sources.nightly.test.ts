/**
 * A source of plugins, or the host of one, in the hands of an attacker. The attacker has the key of the
 * source, but not that of the publisher whose plugin is wanted. Nothing is installed that its publisher did
 * not sign as this plugin in this version, and no answer of a host stops the server or leads it elsewhere.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IndexVersion } from '../../kernel/run/packages/index.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPackage, createPublisher } from '../support/plugins/packages.ts';
import {
  startHttpSource,
  type HttpSource,
  type SourceHandler,
} from '../support/servers/http-source.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const at = '/api/plugins/marketplace';
const [victim, attacker] = [createPublisher(), createPublisher()];
const longestIndex = 4 * 1024 * 1024;

let server: TestServer;
let site: MarketplaceSite;
/** Another service of the same machine, which nothing may lead to. */
let inside: HttpSource;

beforeAll(async () => {
  [server, site, inside] = await Promise.all([
    startServer({ env: { VITRINE_MARKETPLACE_MINUTES: '0' } }),
    startMarketplaceSite('Hostile'),
    startHttpSource((_request, response) => response.end('secret')),
  ]);
  await server.request('POST', `${at}/sources`, { url: site.indexUrl });
});

afterAll(async () => {
  await server.stop();
  await Promise.all([site.close(), inside.close()]);
});

const post = (route: string, body: object = {}) => server.request('POST', `${at}/${route}`, body);
const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }): string =>
  status < 300 ? 'taken' : String((body as { code?: string; error?: string }).code ?? status);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a version in the index of a source', () => {
  const package_ = (id: string, version: string, signer = victim, more: object = {}) =>
    createPackage({ id, version, ...more }, { signer, files: { 'README.md': `${id} ${version}` } });

  /** Publishes `wanted` and lets the attacker say something else of it; the code of the refusal. */
  async function tryWith(
    no: number,
    sent: (id: string) => Uint8Array,
    claims: (id: string, bytes: Uint8Array) => Partial<IndexVersion> = () => ({}),
  ): Promise<string> {
    const id = `wanted-${no}`;
    const bytes = sent(id);
    const told = { sha256: digest(bytes), size: bytes.length, ...claims(id, bytes) };
    site.publish({ id, version: '2.0.0' }, { signer: victim, claims: told });
    site.replace(`/packages/${id}-2.0.0.vplugin`, bytes);
    await post('refresh');
    const code = codeOf(await post('install', { id, granted: {} }));
    const { plugins } = await server.get<{ plugins: readonly { id: string }[] }>('/api/plugins');
    return plugins.some((one) => one.id === id) ? 'taken' : code;
  }

  const swaps: readonly (readonly [
    string,
    string,
    Parameters<typeof tryWith>[1],
    Parameters<typeof tryWith>[2]?,
  ])[] = [
    ['the package of another plugin', 'INVALID_MANIFEST', () => package_('other', '2.0.0')],
    ['an older version under a new number', 'INVALID_MANIFEST', (id) => package_(id, '1.0.0')],
    [
      'a package of another publisher',
      'PUBLISHER_CHANGED',
      (id) => package_(id, '2.0.0', attacker),
    ],
    [
      'the digest of another package',
      'SHA256_MISMATCH',
      (id) => package_(id, '2.0.0'),
      (id) => ({ sha256: digest(package_(id, '3.0.0')) }),
    ],
    [
      'another package than the digest',
      'SHA256_MISMATCH',
      (id) => package_(id, '2.0.0', attacker),
      (id) => ({ sha256: digest(package_(id, '2.0.0')) }),
    ],
    [
      'a size that is too small',
      'SHA256_MISMATCH',
      (id) => package_(id, '2.0.0'),
      (_, { length }) => ({ size: length - 1 }),
    ],
    [
      'an address without an answer',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: 'packages/none.vplugin' }),
    ],
    [
      'more powers than the index says',
      'INVALID_MANIFEST',
      (id) => package_(id, '2.0.0', victim, { permissions: { net: ['*'] } }),
    ],
    [
      'fewer powers than the index says',
      'INVALID_MANIFEST',
      (id) => package_(id, '2.0.0'),
      () => ({ permissions: { net: ['a.example'] } }),
    ],
    [
      'events that the index does not name',
      'INVALID_MANIFEST',
      (id) =>
        package_(id, '2.0.0', victim, {
          subscriptions: { events: ['job.*'] },
        }),
    ],
    [
      'a server version that the package does not name',
      'INCOMPATIBLE_VERSION',
      (id) => package_(id, '2.0.0', victim, { minVersion: '>=9.0.0' }),
    ],
    ['bytes that are not a package', 'INVALID_PACKAGE', () => Buffer.from('<html>')],
    ['no bytes', 'INVALID_PACKAGE', () => new Uint8Array(), () => ({ size: 1 })],
    [
      'a package with bytes behind it',
      'INVALID_PACKAGE',
      (id) => Buffer.concat([package_(id, '2.0.0'), Buffer.from('x')]),
    ],
    ['a page of a host that compresses', 'INVALID_PACKAGE', () => gzipSync('x'.repeat(1000))],
    [
      'an address of this machine',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: `${inside.url}/x` }),
    ],
    [
      'another spelling of this machine',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: `http://2130706433:${inside.port}/x` }),
    ],
    [
      'this machine over https',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: `https://localhost:${inside.port}/x` }),
    ],
    [
      'the address of a cloud’s secrets',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: 'https://169.254.169.254/latest' }),
    ],
    [
      'the same in IPv6',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: 'https://[::ffff:169.254.169.254]/latest' }),
    ],
    [
      'an address with a password',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: 'https://me:pw@127.0.0.1/x' }),
    ],
    [
      'a file of this machine',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: 'file:///etc/passwd' }),
    ],
    [
      'an address that holds its bytes',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: 'data:,x' }),
    ],
    [
      'a host of the same scheme',
      'DOWNLOAD_FAILED',
      (id) => package_(id, '2.0.0'),
      () => ({ url: `//127.0.0.1:${inside.port}/x` }),
    ],
  ];
  test.each(swaps.map((row, no) => [no, ...row] as const))(
    '%i: with %s is not installed',
    async (no, _, code, sent, claims) => {
      expect(await tryWith(no, sent, claims)).toBe(code);
      expect(inside.requests).toEqual([]);
    },
  );

  test('that is whole is installed, so each refusal has its own reason', async () => {
    expect(await tryWith(1000, (id) => package_(id, '2.0.0'))).toBe('taken');
  });

  test.each([
    ...[
      'Film-index',
      'film_ındex',
      'film\u200bindex',
      'fіlm-index',
      'film‐index',
      'film index',
      '',
    ],
    ...[
      '../film',
      'a/../b',
      '@a/b/c',
      '__proto__',
      'constructor\u0000',
      'a'.repeat(300),
      'xn--flm-pqa.',
    ],
  ])('of a plugin with the id %j makes its index refused', async (id) => {
    const other = await startMarketplaceSite('Alike');
    other.publish({ id: 'film-index', version: '1.0.0' }, { signer: attacker });
    const told = await catching(() =>
      other.change(({ plugins }) => ({ plugins: plugins.map((one) => ({ ...one, id })) })),
    );
    const code = codeOf(await post('sources', { url: other.indexUrl }));
    await other.close();

    expect(told === null ? code : 'INDEX_INVALID').toBe('INDEX_INVALID');
  });
});

const catching = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
};

describe('the host of an index', () => {
  /** Adds it as a source; the code of the refusal. */
  async function tryHost(handler: SourceHandler): Promise<string> {
    const host = await startHttpSource(handler);
    const code = codeOf(await post('sources', { url: `${host.url}/index.json` }));
    await host.close();
    return code;
  }
  const sends =
    (
      body: string | Uint8Array,
      headers: Readonly<Record<string, string>> = {},
      status = 200,
    ): SourceHandler =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);
  const leads =
    (location: () => string): SourceHandler =>
    (request, response) =>
      request.url === '/index.json'
        ? response.writeHead(302, { location: location() }).end()
        : response.end(site.served());
  const index = (): string => Buffer.from(site.served()).toString();
  const edited =
    (edit: (text: string) => string): SourceHandler =>
    (_request, response) =>
      response.end(edit(index()));

  const hosts: readonly (readonly [string, () => SourceHandler])[] = [
    [
      'that sends a gzip bomb',
      () => sends(gzipSync(Buffer.alloc(100_000_000, ' ')), { 'content-encoding': 'gzip' }),
    ],
    [
      'that sends a brotli bomb',
      () => sends(brotliCompressSync(Buffer.alloc(100_000_000, ' ')), { 'content-encoding': 'br' }),
    ],
    [
      'that compresses twice',
      () => sends(gzipSync(gzipSync(index())), { 'content-encoding': 'gzip, gzip' }),
    ],
    ['that names an encoding of its own', () => sends(index(), { 'content-encoding': 'x' })],
    ['that names gzip and sends none', () => sends(index(), { 'content-encoding': 'gzip' })],
    [
      'that announces more than it may',
      () => sends('', { 'content-length': String(longestIndex * 2) }),
    ],
    [
      'that sends without end',
      () => (_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
        };
        response.on('drain', more);
        more();
      },
    ],
    [
      'that cuts its answer off',
      () => (_request, response) => {
        response.writeHead(200, { 'content-length': '5000' }).write('{');
        response.destroy();
      },
    ],
    ['that hangs up', () => (request) => request.socket.destroy()],
    ['that has long headers', () => sends('{}', { 'x-long': 'a'.repeat(40_000) })],
    ['that says it is unchanged', () => sends('', {}, 304)],
    ['that says there is nothing', () => sends('', {}, 204)],
    ['that sends a part', () => sends(site.served(), { 'content-range': 'bytes 0-1/2' }, 206)],
    ['that fails with the index', () => sends(site.served(), {}, 500)],
    ['that wants a password', () => sends(site.served(), { 'www-authenticate': 'Basic' }, 401)],
    ['that leads to itself', () => leads(() => '/index.json')],
    ['that leads to another service', () => leads(() => `${inside.url}/index.json`)],
    ['that leads to a file', () => leads(() => 'file:///etc/passwd')],
    ['that leads to data', () => leads(() => `data:,${encodeURIComponent(index())}`)],
    ['that leads to another scheme', () => leads(() => `gopher://127.0.0.1:${inside.port}/`)],
    ['that leads to plain http', () => leads(() => 'http://plugins.example/index.json')],
    ['that leads to IPv6', () => leads(() => `http://[::1]:${inside.port}/`)],
    ['that leads to every address', () => leads(() => `http://0.0.0.0:${inside.port}/`)],
    ['that leads to a short address', () => leads(() => `http://127.1:${inside.port}/`)],
    ['that leads to a name of this machine', () => leads(() => `http://localhost:${inside.port}/`)],
    ['that leads to a password', () => leads(() => 'https://a:b@127.0.0.1/')],
    ['that leads nowhere', () => leads(() => 'http://')],
    ['that sends an empty index', () => sends('')],
    ['that sends a page', () => sends('<html>')],
    ['that sends a list', () => sends('[]')],
    ['that sends a name twice', () => edited((text) => text.replace('{', '{"sequence":9999,'))],
    [
      'that sends a list of plugins twice',
      () =>
        edited((text) =>
          text.replace('"plugins":', '"plugins":[],"plugins":[{"id":"x"}],"plugin":'),
        ),
    ],
    [
      'that raises the sequence',
      () => edited((text) => text.replace(/"sequence":\d+/, '"sequence":9007199254740993')),
    ],
    [
      'that sends half a sequence',
      () => edited((text) => text.replace(/"sequence":\d+/, '"sequence":1.5')),
    ],
    [
      'that makes it last longer',
      () => edited((text) => text.replace(/"expiresAt":"\d{4}/, '"expiresAt":"9999')),
    ],
    ['that renames it', () => edited((text) => text.replace('"Hostile"', '"Honest"'))],
    [
      'that adds a prototype',
      () => edited((text) => text.replace('{', '{"__proto__":{"plugins":[]},')),
    ],
    ['that nests it deeply', () => sends(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['that sends very many values', () => sends(`[${'0,'.repeat(2_000_000)}0]`)],
    ['that sends other letters', () => sends(Buffer.from(index(), 'utf16le'))],
    [
      'that sends broken letters',
      () => sends(Buffer.concat([Buffer.from(index()).subarray(0, -1), Buffer.from([0xff, 0x7d])])),
    ],
    [
      'that turns the signature over',
      () =>
        edited((text) =>
          text.replace(
            /"signature":"(.)/,
            (_all, one: string) => `"signature":"${one === 'A' ? 'B' : 'A'}`,
          ),
        ),
    ],
    [
      'that leaves the signature out',
      () => edited((text) => text.replace(/,"signature":"[^"]+"/, '')),
    ],
    [
      'that signs with a key of small order',
      () =>
        edited((text) =>
          text.replace(
            /"publisherKey":"[0-9a-f]{64}","signature":"[^"]+"/,
            `"publisherKey":"01${'0'.repeat(62)}","signature":"${'A'.repeat(86)}"`,
          ),
        ),
    ],
  ];
  test.each(hosts)('%s is not taken as a source', async (_, handler) => {
    const code = await tryHost(handler());

    expect(code).not.toBe('taken');
    expect(code).not.toMatch(/^5/);
    expect(inside.requests).toEqual([]);
  });

  test('that answers in a form of its own is not taken as a source', async () => {
    for (const answer of [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5000\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}',
      'HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
      `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(10_000)}HTTP/1.1 200 OK\r\n\r\n`,
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'HTTP/0.9 200\r\n\r\n{}',
      'SSH-2.0-x\r\n',
      '{}',
    ]) {
      const raw = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(answer));
      });
      await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
      const { port } = raw.address() as AddressInfo;
      const code = codeOf(await post('sources', { url: `http://127.0.0.1:${port}/index.json` }));
      await new Promise((resolve) => raw.close(resolve));

      expect([answer.slice(0, 60), code]).not.toEqual([answer.slice(0, 60), 'taken']);
    }
  });

  test('that is whole is taken, so each refusal has its own reason', async () => {
    const other = await startMarketplaceSite('Whole');
    const host = await startHttpSource(leadsTo(other));
    const code = codeOf(await post('sources', { url: `${host.url}/index.json` }));
    await Promise.all([other.close(), host.close()]);

    expect(code).toBe('taken');
  });
});

/** Leads to another address of its own, gzipped. */
const leadsTo =
  ({ served }: MarketplaceSite): SourceHandler =>
  (request, response) =>
    request.url === '/index.json'
      ? response.writeHead(302, { location: '/moved' }).end()
      : response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(served()));

describe('two sources of one plugin', () => {
  test('with other publishers are asked about, also when the index of one has expired', async () => {
    const [one, other] = await Promise.all([
      startMarketplaceSite('One'),
      startMarketplaceSite('Other'),
    ]);
    one.publish({ id: 'wished', version: '1.0.0' }, { signer: victim });
    other.publish({ id: 'wished', version: '9.0.0' }, { signer: attacker });
    for (const { indexUrl } of [one, other]) await post('sources', { url: indexUrl });
    const asked = await post('install', { id: 'wished' });
    const dayMs = 86_400_000;
    one.change(() => ({}), {
      updatedAt: new Date(Date.now() - 20 * dayMs).toISOString(),
      expiresAt: new Date(Date.now() - dayMs).toISOString(),
    });
    await post('refresh');
    const expired = await post('install', { id: 'wished' });
    await Promise.all([one.close(), other.close()]);

    expect(asked.status).toBe(409);
    expect(asked.body).toMatchObject({
      message: expect.stringMatching(/Several publishers offer/) as string,
    });
    expect(expired).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/One, Other/) as string },
    });
  });
});
