/** Asks the world who an app's domain says it is: DNS, and one file over https. */
import { lookup as lookUp } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { FetchProof, ResolveTxt } from './domain-proof.ts';

const patienceMs = 5000;
const mostBytes = 64 * 1024;

/** Networks that nobody on the internet has a site in: a domain that points there asks for something else. */
const ownNetworks = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  ownNetworks.addSubnet(address, prefix, 'ipv4');
// An IPv4 address inside an IPv6 one is looked for among the IPv4 networks.
for (const [address, prefix] of [
  ['::', 96],
  ['64:ff9b::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  ownNetworks.addSubnet(address, prefix, 'ipv6');

/** Whether an address is not one of the internet. */
export const isOwnNetwork = (address: string): boolean =>
  ownNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Looks a name up as usual, and finds nothing when any of its addresses is not of the internet. */
const lookupPublic: LookupFunction = (hostname, options, found) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error) found(error, '');
    else if (first === undefined || addresses.some(({ address }) => isOwnNetwork(address)))
      found(new Error(`${hostname} is not on the internet.`), '');
    else if (options.all === true) found(null, addresses);
    else found(null, first.address, first.family);
  });
};

/** The TXT records of a domain; none when the domain has none. */
export const resolveTxt: ResolveTxt = async (domain) => {
  const resolver = new Resolver({ timeout: patienceMs, tries: 1 });
  try {
    return await resolver.resolveTxt(domain);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
};

/** The well-known file of a domain: over https, where the name itself leads, and not too long. */
export const fetchProof: FetchProof = (domain) =>
  new Promise((resolve, reject) => {
    const asked = request({
      host: domain,
      path: '/.well-known/media-identity.json',
      headers: { accept: 'application/json', 'user-agent': 'vitrine-broker' },
      lookup: lookupPublic,
      agent: false,
      signal: AbortSignal.timeout(patienceMs),
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
