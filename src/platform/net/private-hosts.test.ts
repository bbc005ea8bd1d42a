/** The rules for plugins with lanes and with private hosts. */
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  sendJson,
  startHttpSource,
  type SourceHandler,
} from '../../../test/support/servers/http-source.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestNetwork } from '../../../test/support/servers/network.ts';
import { createOwnAddresses, type Lookup, type NetworkParts } from './index.ts';

async function sourceAndNetwork(parts: Partial<NetworkParts>, handler?: SourceHandler) {
  const source = await startHttpSource(handler ?? ((_, response) => sendJson(response, 'x')));
  onTestFinished(() => source.close());
  const network = await openTestNetwork(parts);
  onTestFinished(() => network.remove());
  return { source, network };
}

describe('hosts that an admin lets one plugin reach', () => {
  test('are reached only by that plugin, as long as they are allowed', async () => {
    let hosts: readonly string[] = [];
    const { source, network } = await sourceAndNetwork({
      privateHosts: (id) => (id === 'hooks' ? hosts : []),
    });
    const fetch = (pluginId: string) => network.fetch({ url: source.url }, { pluginId });

    await expect(fetch('hooks')).rejects.toMatchObject({ code: 'net_refused' });
    hosts = [source.host];
    expect(await fetch('hooks')).toMatchObject({ status: 200 });
    await expect(fetch('films')).rejects.toMatchObject({ code: 'net_refused' });
    hosts = ['127.0.0.1:1'];
    await expect(fetch('hooks')).rejects.toMatchObject({ code: 'net_refused' });
  });

  test('open no connection for another plugin, and none for a name that resolves to them', async () => {
    const { source, network } = await sourceAndNetwork({
      privateHosts: (id) => (id === 'hooks' ? ['named.example'] : []),
      lookup: (_, __, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    const at = (name: string) => `https://${name}:${source.port}/`;

    const own = network.fetch({ url: at('named.example') }, { pluginId: 'hooks' });
    await expect(own).rejects.toMatchObject({ code: 'net_unreachable' });
    for (const [pluginId, name] of [
      ['films', 'named.example'],
      ['hooks', 'other.example'],
    ] as const)
      await expect(network.fetch({ url: at(name) }, { pluginId })).rejects.toMatchObject({
        code: 'net_refused',
      });
    expect(source.requests).toEqual([]);
  });
});

describe('why a request cannot go out', () => {
  const places: Readonly<Record<string, string>> = {
    'home.lan': '10.0.0.7',
    'open.org': '9.9.9.9',
  };
  const lookup: Lookup = (name, _, found) => {
    const address = places[name];
    if (address !== undefined) found(null, [{ address, family: 4 }]);
    else if (name !== 'slow.org') found(new Error('ENOTFOUND'), []);
  };

  test.each([
    ['https://open.org/h', null],
    ['https://9.9.9.9/h', null],
    ['https://allowed.lan:8123/h', /^The name allowed\.lan has no address now: check/],
    ['https://lost.org/h', /^The name lost\.org has no address now: check/],
    ['https://home.lan/h', /^home\.lan leads to .* allow it with --net-allow home\.lan\.$/],
    ['https://[fd00::1]/h', /^\[fd00::1\] leads to .* --net-allow \[fd00::1\]\.$/],
    ['http://open.org/h', /^http:\/\/open\.org:80 is not encrypted: use https, or/],
    ['http://127.0.0.1:19620/h', /^http:\/\/127\.0\.0\.1:19620 is not encrypted: use https/],
    ['https://127.0.0.1:8096/h', /^127\.0\.0\.1:8096 is this server itself\./],
    ['https://media.example/h', /^media\.example:443 is this server itself\./],
    ['https://elsewhere.org/h', /was not granted net: elsewhere\.org:443/],
  ])('to %s is said without a request', async (url, expected) => {
    const own = createOwnAddresses({ publicUrl: 'https://media.example' });
    own.listensAt(8096);
    const network = await openTestNetwork({
      ...{ own, lookup, privateHosts: () => ['allowed.lan:8123'] },
      grantedHosts: () => (url.includes('elsewhere') ? ['open.org'] : ['*']),
    });
    onTestFinished(() => network.remove());

    const reason = await network.refusalOf('hooks', url);

    if (expected === null) expect(reason).toBeNull();
    else expect(reason).toMatch(expected);
  });

  test('is not said when the name server does not answer in time', async () => {
    const clock = createFakeClock();
    const network = await openTestNetwork({ lookup, clock });
    onTestFinished(() => network.remove());

    const reason = network.refusalOf('hooks', 'https://slow.org/h');
    await clock.advance(2000);

    expect(await reason).toBeNull();
  });
});

describe('this very server', () => {
  /** A server at a port of its own, and a plugin that may reach any host. */
  async function ownServer(lookup?: Lookup) {
    const own = createOwnAddresses({ publicUrl: 'https://media.example' });
    const found = await sourceAndNetwork({
      ...{ own, privateHosts: () => ['*'], allowedHosts: ['*'] },
      ...(lookup && { lookup }),
    });
    own.listensAt(found.source.port);
    return found;
  }

  const refused = {
    code: 'net_refused',
    message: expect.stringMatching(/is this server itself\. Ask for a power instead/) as string,
  };

  test.each([
    ...['localhost', 'localhost.', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1'],
    ...['0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '[::]', 'nas.example'],
  ])('is not reached by a plugin at %s', async (name) => {
    const { source, network } = await ownServer((_, __, found) =>
      found(null, [{ address: '127.0.0.1', family: 4 }]),
    );

    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${name}:${source.port}/api/users`;
      await expect(network.fetch({ url })).rejects.toMatchObject(refused);
    }
    expect(source.requests).toEqual([]);
  });

  test('is not reached by a name that leads to it only when the connection opens', async () => {
    const addresses = ['203.0.113.1', '127.0.0.1'];
    const { source, network } = await ownServer((_, __, found) =>
      found(null, [{ address: addresses.shift() ?? '', family: 4 }]),
    );

    const reply = network.fetch({ url: `http://nas.example:${source.port}/` });

    await expect(reply).rejects.toMatchObject(refused);
    expect([addresses, source.requests]).toEqual([[], []]);
  });

  test('is not reached at its public address; another program of the machine is', async () => {
    const { source, network } = await ownServer();
    const other = await startHttpSource((_, response) => sendJson(response, 'x'));
    onTestFinished(() => other.close());

    const atPublic = network.fetch({ url: 'https://media.example/api/users' });
    await expect(atPublic).rejects.toMatchObject(refused);
    expect(await network.fetch({ url: other.url })).toMatchObject({ status: 200 });
    expect(source.requests).toEqual([]);
  });
});

describe('an address that an admin entered', () => {
  test('is reached by its plugin alone, if that was granted the network', async () => {
    const { source, network } = await sourceAndNetwork({
      allowedHosts: ['127.0.0.1'],
      enteredHosts: (id) => (id === 'films' ? [source.host] : []),
    });
    const fetch = (pluginId: string, net: readonly string[]) =>
      network.fetch({ url: source.url }, { pluginId, net });
    const denied = { code: 'permission_denied' };

    expect(await fetch('films', ['api.example.org'])).toMatchObject({ status: 200 });
    await expect(fetch('films', [])).rejects.toMatchObject(denied);
    await expect(fetch('guide', ['api.example.org'])).rejects.toMatchObject(denied);
  });
});

describe('a request that needs only the status', () => {
  test('is given a redirect unfollowed', async () => {
    const { source, network } = await sourceAndNetwork(
      { privateHosts: () => ['127.0.0.1'] },
      (_, response) => response.writeHead(307, { location: '/next' }).end(),
    );

    const reply = await network.fetch({ url: source.url, method: 'POST', redirect: 'manual' });

    expect(reply).toMatchObject({ status: 307, headers: { location: '/next' } });
    expect(source.requests).toHaveLength(1);
  });

  test('has the status of a response that never ends, or is not text, or too large', async () => {
    const { source, network } = await sourceAndNetwork(
      { privateHosts: () => ['127.0.0.1'] },
      (request, response) => {
        response.writeHead(202, { 'content-encoding': 'gzip', 'content-length': 9_000_000 });
        response.write(Buffer.alloc(request.url === '/large' ? 8_000_000 : 10));
      },
    );

    for (const path of ['/large', '/endless']) {
      const asked = { url: source.url + path, bodyAs: 'none', timeoutMs: 500 } as const;
      expect(await network.fetch(asked)).toMatchObject({ status: 202, body: '' });
    }
  });

  test('uses a lane of its plugin, and no other', async () => {
    const { source, network } = await sourceAndNetwork({
      privateHosts: () => ['127.0.0.1'],
      lanesOf: (id) => (id === 'hooks' ? 2 : 1),
    });
    const fetch = (lane: number, pluginId: string) =>
      network.fetch({ url: source.url, lane }, { pluginId });

    expect(await fetch(1, 'hooks')).toMatchObject({ status: 200 });
    await expect(fetch(2, 'hooks')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(fetch(1, 'films')).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});
