/** Texts that plugins name, from hosts that lie, against real servers on the loopback. */
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { startHttpSource, type HttpSource } from '../../../test/support/servers/http-source.ts';
import { openTestNetwork, type TestNetwork } from '../../../test/support/servers/network.ts';

let granted: HttpSource;
let secret: HttpSource;
let network: TestNetwork;
/** Patterns of hosts that the plugin was granted. */
let hosts: readonly string[];
let to = '';

beforeAll(async () => {
  secret = await startHttpSource((_, response) => response.end('secret'));
  granted = await startHttpSource((request, response) => {
    if (request.url === '/leads') response.writeHead(302, { location: to }).end();
    else if (request.url === '/long')
      response.writeHead(200, { 'content-length': 100e6 }).write('x');
    else if (request.url === '/endless') {
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    } else response.end('text');
  });
  hosts = [granted.host];
  network = await openTestNetwork({ allowedHosts: [granted.host], grantedHosts: () => hosts });
});

afterAll(async () => {
  await Promise.all([network.remove(), granted.close(), secret.close()]);
});

const fetched = (path: string) =>
  network.fetchText({ url: `${granted.url}${path}`, pluginId: 'giver', maxBytes: 1_000_000 });

describe('a text of a granted host', () => {
  test('is fetched', async () => {
    expect(Buffer.from(await fetched('/a.srt')).toString()).toBe('text');
  });

  test.each([
    ['to a host of the own network', () => `${secret.url}/`],
    ['to it by name', () => `http://localhost:${secret.port}/`],
    ['to it as IPv6', () => `http://[::ffff:127.0.0.1]:${secret.port}/`],
    ['to it as a number', () => `http://2130706433:${secret.port}/`],
    ['to it without a scheme', () => `//${secret.host}/`],
    ['to it by backslashes', () => String.raw`\\${secret.host}\a`],
    [
      'to it with the granted host as a name',
      () => `http://${granted.host.split(':')[0]}@${secret.host}/`,
    ],
    ['to the metadata of a cloud', () => 'http://169.254.169.254/latest/'],
    ['to the same name at another port', () => `https://127.0.0.1:${secret.port}/`],
    ['to http of another host', () => 'http://example.org/'],
    ['to a file', () => 'file:///etc/passwd'],
    ['to a file without a host', () => 'file:/etc/passwd'],
    ['to data', () => 'data:text/plain,secret'],
    ['to the scheme of a plugin', () => 'shelf://1.srt'],
    ['to a script', () => 'javascript:1'],
    ['to nothing that is an address', () => 'http://['],
    ['to itself', () => `${granted.url}/leads`],
  ])('that redirects %s is refused', async (_, target) => {
    to = target();

    await expect(fetched('/leads')).rejects.toMatchObject({ name: 'KernelError' });
    expect(secret.requests).toEqual([]);
  });

  test.each([['/long'], ['/endless']])('that is longer than allowed is cut: %s', async (path) => {
    await expect(fetched(path)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('is fetched no longer when the grant ended after it was listed', async () => {
    const before = granted.requests.length;
    hosts = [];

    await expect(fetched('/b.srt')).rejects.toMatchObject({ code: 'permission_denied' });
    // What is in the cache is not given either.
    await expect(fetched('/a.srt')).rejects.toMatchObject({ code: 'permission_denied' });
    expect(granted.requests).toHaveLength(before);
  });
});
