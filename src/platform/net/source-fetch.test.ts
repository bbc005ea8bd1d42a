import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpSource, type HttpSource } from '../../../test/support/servers/http-source.ts';
import { createSourceFetch } from './source-fetch.ts';

let home: HttpSource;
let other: HttpSource;
const net = createSourceFetch({
  allowedHosts: ['nas.example:8080'],
  version: '1.2.3',
  lookup: (_name, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]),
});

beforeAll(async () => {
  other = await startHttpSource((_request, response) => response.end('secret'));
  home = await startHttpSource((request, response) => {
    if (request.url === '/away') return response.writeHead(302, { location: other.url }).end();
    if (request.url === '/moved') return response.writeHead(301, { location: '/here' }).end();
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (request.url === '/never') return undefined;
    return response.end('x'.repeat(100));
  });
});

afterAll(async () => {
  await net.close();
  await Promise.all([home.close(), other.close()]);
});

const get = (url: string, options: { maxBytes?: number; timeoutMs?: number } = {}) =>
  net.fetch({
    url,
    home: `${home.url}/index.json`,
    maxBytes: options.maxBytes ?? 1000,
    timeoutMs: options.timeoutMs ?? 5000,
  });

describe('an address that a marketplace source names', () => {
  test('may be at the source itself, also on this machine', async () => {
    const moved = await get(`${home.url}/moved`);

    expect([moved.status, moved.body.length]).toEqual([200, 100]);
    expect(home.requests.at(-1)?.headers['user-agent']).toBe('Vitrine/1.2.3');
  });

  test.each([
    ['another service of this machine', () => `${other.url}/`],
    ['another service, by a redirect', () => `${home.url}/away`],
    ['a host without encryption', () => 'http://plugins.example/a.vplugin'],
    ['an address with a password', () => 'https://me:secret@plugins.example/a.vplugin'],
    ['a name of the own network', () => 'https://inside.example/a.vplugin'],
    ['an address of the own network', () => 'https://192.168.1.1/a.vplugin'],
    ['the address of a cloud’s secrets', () => 'https://169.254.169.254/latest'],
  ])('is never %s', async (_, url) => {
    const before = other.requests.length;

    await expect(get(url())).rejects.toMatchObject({ code: 'net_refused' });

    expect(other.requests.length).toBe(before);
  });

  test('is limited in bytes, time and redirects', async () => {
    await expect(get(`${home.url}/big`, { maxBytes: 99 })).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(get(`${home.url}/never`, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'net_timeout',
    });
    await expect(get(`${home.url}/loop`)).rejects.toMatchObject({ code: 'net_unreachable' });
  });
});
