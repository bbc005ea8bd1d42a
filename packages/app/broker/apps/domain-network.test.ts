import { expect, test } from 'vitest';
import { fetchProof, isOwnNetwork } from './domain-network.ts';

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.0.8'],
  ...['192.0.2.1', '192.88.99.1', '198.51.100.1', '203.0.113.1', '240.0.0.1'],
  ...['::1', '::', 'fd00::1', 'fe80::1', 'ff02::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'],
  ...['::7f00:1', '::ffff:0:7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
  ...['2001:db8::1', 'fec0::1', '100::1', '5f00::1', '4000::1', 'fd00:ec2::254'],
])('%s is not a public address', (address) => {
  expect(isOwnNetwork(address)).toBe(true);
});

test.each(['1.1.1.1', '203.0.114.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is a public address',
  (address) => {
    expect(isOwnNetwork(address)).toBe(false);
  },
);

test('a domain that resolves to this machine or its network is not contacted', async () => {
  await expect(fetchProof('localhost')).rejects.toThrow('does not have a public address');
});
