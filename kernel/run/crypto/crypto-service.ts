/** `host.crypto`: cryptography for isolates. It has no state, so it needs no permission. */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { hostService, type HostInput, type HostService } from '../../call/host-service.ts';
import { bytesOf, bytesOfLength, ofBase64, wrong } from './crypto-bytes.ts';
import { openBytes, sealBytes } from './sealed.ts';

type Input<Method extends keyof HostService<'crypto'>['methods']> = HostInput<'crypto', Method>;

const keyBytes = 32;

/** Creates the service. `random` gives unpredictable bytes. */
export const createCryptoService = (random: (count: number) => Buffer): HostService<'crypto'> =>
  hostService('crypto', {
    digest: async ({ algorithm, message, encoding = 'hex' }) => ({
      digest: createHash(algorithm).update(bytesOf(message, 'digest: message')).digest(encoding),
    }),
    hmac: async (input) => hmac(input),
    seal: async ({ key, message, associated = '' }) => {
      const parts = {
        key: bytesOfLength(key, 'seal: key', keyBytes),
        message: bytesOf(message, 'seal: message'),
        associated: bytesOf(associated, 'seal: associated'),
      };
      return { sealed: sealBytes(parts, random).toString('base64') };
    },
    open: async (input) => open(input),
    verify: async (input) => isValid(input),
    equal: async ({ a, b }) => {
      const one = bytesOf(a, 'equal: a');
      const other = bytesOf(b, 'equal: b');
      return { equal: one.length === other.length && timingSafeEqual(one, other) };
    },
    random: async ({ count, encoding = 'hex' }) => ({ bytes: random(count).toString(encoding) }),
  });

function hmac({ algorithm, key, message, encoding: as = 'hex' }: Input<'hmac'>) {
  const bytes = bytesOf(key, 'hmac: key');
  if (bytes.length === 0) throw wrong('hmac: key', 'is empty; it needs at least 1 byte');
  return {
    mac: createHmac(algorithm, bytes).update(bytesOf(message, 'hmac: message')).digest(as),
  };
}

function open({ key, sealed, associated = '', encoding: as = 'utf8' }: Input<'open'>) {
  const message = openBytes({
    key: bytesOfLength(key, 'open: key', keyBytes),
    message: ofBase64(sealed, 'open: sealed'),
    associated: bytesOf(associated, 'open: associated'),
  });
  if (message === null)
    throw wrong('open: sealed', 'was not sealed with this key and these associated bytes');
  if (as !== 'utf8') return { message: message.toString(as) };
  try {
    return { message: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message) };
  } catch {
    throw wrong('open: sealed', 'holds bytes that are not text; ask for them as base64 or hex');
  }
}

function isValid({ publicKey, message, signature }: Input<'verify'>) {
  const x = bytesOfLength(publicKey, 'verify: publicKey', 32).toString('base64url');
  const signed = bytesOf(message, 'verify: message');
  const bytes = bytesOfLength(signature, 'verify: signature', 64);
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return { valid: verify(null, signed, key, bytes) };
}
