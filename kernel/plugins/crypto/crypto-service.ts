/** `host.crypto`: cryptography for isolates. It has no state, so it needs no permission. */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { CryptoService } from '../../../plugin-api/index.ts';
import type { HostMethod, HostService } from '../../host-service.ts';
import { bytesOf, bytesOfLength, bytesSchema, ofBase64, wrong } from './crypto-bytes.ts';
import { openBytes, sealBytes } from './sealed.ts';

type Input<Method extends keyof CryptoService> = Parameters<CryptoService[Method]>[0];

const mostRandomBytes = 65_536;
const keyBytes = 32;
const encoding = { enum: ['base64', 'hex'] } as const;
const text = { type: 'string' } as const;

/** Creates the service. `random` gives unpredictable bytes. */
export function createCryptoService(random: (count: number) => Buffer): HostService {
  return {
    name: 'crypto',
    methods: {
      digest: method(
        { algorithm: { enum: ['md5', 'sha1', 'sha256', 'sha512'] }, message: bytesSchema },
        { encoding },
        ({ algorithm, message, encoding: as = 'hex' }: Input<'digest'>) => ({
          digest: createHash(algorithm).update(bytesOf(message, 'digest: message')).digest(as),
        }),
      ),
      hmac: method(
        {
          algorithm: { enum: ['sha1', 'sha256', 'sha512'] },
          key: bytesSchema,
          message: bytesSchema,
        },
        { encoding },
        hmac,
      ),
      seal: method(
        { key: bytesSchema, message: bytesSchema },
        { associated: bytesSchema },
        ({ key, message, associated = '' }: Input<'seal'>) => {
          const parts = {
            key: bytesOfLength(key, 'seal: key', keyBytes),
            message: bytesOf(message, 'seal: message'),
            associated: bytesOf(associated, 'seal: associated'),
          };
          return { sealed: sealBytes(parts, random).toString('base64') };
        },
      ),
      open: method(
        { key: bytesSchema, sealed: text },
        { associated: bytesSchema, encoding: { enum: ['base64', 'hex', 'utf8'] } },
        open,
      ),
      verify: method(
        { publicKey: bytesSchema, message: bytesSchema, signature: bytesSchema },
        {},
        isValid,
      ),
      equal: method({ a: bytesSchema, b: bytesSchema }, {}, ({ a, b }: Input<'equal'>) => {
        const one = bytesOf(a, 'equal: a');
        const other = bytesOf(b, 'equal: b');
        return { equal: one.length === other.length && timingSafeEqual(one, other) };
      }),
      random: method(
        { count: { type: 'integer', minimum: 1, maximum: mostRandomBytes } },
        { encoding },
        ({ count, encoding: as = 'hex' }: Input<'random'>) => ({
          bytes: random(count).toString(as),
        }),
      ),
    },
  };
}

/** A method without a permission. */
function method<Given>(
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>>,
  compute: (input: Given) => object,
): HostMethod {
  return {
    permission: null,
    input: {
      type: 'object',
      additionalProperties: false,
      required: Object.keys(required),
      properties: { ...required, ...optional },
    },
    run: async (input: Given) => compute(input),
  };
}

function hmac({ algorithm, key, message, encoding: as = 'hex' }: Input<'hmac'>): object {
  const bytes = bytesOf(key, 'hmac: key');
  if (bytes.length === 0) throw wrong('hmac: key', 'is empty; it needs at least 1 byte');
  return {
    mac: createHmac(algorithm, bytes).update(bytesOf(message, 'hmac: message')).digest(as),
  };
}

function open({ key, sealed, associated = '', encoding: as = 'utf8' }: Input<'open'>): object {
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

function isValid({ publicKey, message, signature }: Input<'verify'>): object {
  const x = bytesOfLength(publicKey, 'verify: publicKey', 32).toString('base64url');
  const signed = bytesOf(message, 'verify: message');
  const bytes = bytesOfLength(signature, 'verify: signature', 64);
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return { valid: verify(null, signed, key, bytes) };
}
