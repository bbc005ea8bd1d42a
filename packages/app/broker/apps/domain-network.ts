/** Looks up the proof of an app's domain: DNS, and one file over https. */
import { lookup as lookUp } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { FetchProof, ResolveTxt } from './domain-proof.ts';

const timeoutMs = 5000;
const mostBytes = 64 * 1024;

/** Networks without public sites: a domain that resolves into one is refused (SSRF). */
const ownNetworks = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  ownNetworks.addSubnet(address, prefix, 'ipv4');
// Teredo and 6to4 lead to the IPv4 address that they hold.
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  ownNetworks.addSubnet(address, prefix, 'ipv6');

const publicSix = new BlockList();
publicSix.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is not public. */
export const isOwnNetwork = (address: string): boolean =>
  isIP(address) === 6
    ? !publicSix.check(address, 'ipv6') || ownNetworks.check(address, 'ipv6')
    : ownNetworks.check(address, 'ipv4');

/** A DNS lookup that fails when any of the addresses is not public. */
const lookupPublic: LookupFunction = (hostname, options, found) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error) found(error, '');
    else if (first === undefined || addresses.some(({ address }) => isOwnNetwork(address)))
      found(new Error(`${hostname} does not have a public address.`), '');
    else if (options.all === true) found(null, addresses);
    else found(null, first.address, first.family);
  });
};

/** The TXT records of a domain; empty when it has none. */
export const resolveTxt: ResolveTxt = async (domain) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  try {
    return await resolver.resolveTxt(domain);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
};

/** The well-known file of a domain: over https, without redirects, and of limited size. */
export const fetchProof: FetchProof = (domain) =>
  new Promise((resolve, reject) => {
    const asked = request({
      host: domain,
      path: '/.well-known/media-identity.json',
      headers: { accept: 'application/json', 'user-agent': 'vitrine-broker' },
      lookup: lookupPublic,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('error', reject);
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes > mostBytes) asked.destroy(new Error('The file is above 64 KiB.'));
      });
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 500) reject(new Error(`${domain} answered ${statusCode}.`));
        else resolve(statusCode === 200 ? Buffer.concat(parts).toString() : null);
      });
    });
    asked.end();
  });
