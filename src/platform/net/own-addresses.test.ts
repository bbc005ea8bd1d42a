import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createOwnAddresses } from './own-addresses.ts';

const face = (address: string) => ({
  ...{ address, netmask: '', mac: '', internal: false, cidr: null },
});
const own = createOwnAddresses({
  publicUrl: 'https://Media.example',
  interfaces: () => ({
    eth0: [
      { ...face('192.168.1.5'), family: 'IPv4' as const },
      { ...face('fe80::5%eth0'), family: 'IPv6' as const, scopeid: 2 },
    ],
  }),
});
own.listensAt(8096);

describe('this server', () => {
  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'films.localhost',
    hostname(),
    '127.0.0.1',
    '127.1',
    '127.9.9.9',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '0.0.0.0',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '192.168.1.5',
    '3232235781',
    '[::ffff:192.168.1.5]',
    '[fe80::5]',
  ])('is named by %s with its port, and not with another one', (name) => {
    expect(own.names(`${name}:8096`)).toBe(true);
    expect([own.names(`${name}:8097`), own.names(name)]).toEqual([false, false]);
  });

  test('is named by its public address', () => {
    const names = [
      'media.example:443',
      'MEDIA.example.:443',
      'media.example:8443',
      'a.example:443',
    ];

    expect(names.map(own.names)).toEqual([true, true, false, false]);
  });

  test.each(['192.168.1.6:8096', 'nas.local:8096', '1.1.1.1:8096', '*:8096', 'a b:8096', ''])(
    'is not named by %j',
    (host) => {
      expect(own.names(host)).toBe(false);
    },
  );
});
