import type { ServiceClass } from '../attempt.ts';

/** Wins when the call succeeds, or fails with another code than those of a refused input. */
const refused = (call: string): string =>
  `const code = await ${call}.then((value) => 'gave ' + JSON.stringify(value), (error) => error.code);
   return ['invalid_argument', 'too_large'].includes(code) ? null : won + ' ' + code;`;

const key = `{ hex: '11'.repeat(32) }`;

/** A plugin without any permission may compute, and its inputs reach nothing else. */
export const cryptoInputs: ServiceClass = {
  name: 'the cryptography of the host by hostile inputs',
  by: 'pauper',
  control: `const { digest } = await host.crypto.digest({ algorithm: 'md5', message: 'abc' }); const { sealed } = await host.crypto.seal({ key: ${key}, message: 'a' }); const { message } = await host.crypto.open({ key: ${key}, sealed }); return digest === '900150983cd24fb0d6963f7d28e17f72' && message === 'a' ? 'ok' : null;`,
  attempts: {
    'an algorithm of OpenSSL that is not offered': refused(
      `host.crypto.digest({ algorithm: 'shake256', message: 'a' })`,
    ),
    'an algorithm by the name of a prototype': refused(
      `host.crypto.digest({ algorithm: '__proto__', message: 'a' })`,
    ),
    'half of a surrogate pair, which would share a digest with another text': refused(
      `host.crypto.digest({ algorithm: 'sha256', message: '\\ud800' })`,
    ),
    'base64 of which Node.js skips a part': refused(
      `host.crypto.hmac({ algorithm: 'sha256', key: { base64: 'YQ==YQ==' }, message: 'a' })`,
    ),
    'an empty key': refused(`host.crypto.hmac({ algorithm: 'sha256', key: '', message: 'a' })`),
    'a key of two encodings': refused(
      `host.crypto.seal({ key: { hex: '11'.repeat(32), base64: '' }, message: 'a' })`,
    ),
    'a key that is too short': refused(`host.crypto.seal({ key: 'short', message: 'a' })`),
    'a nonce of its own': refused(
      `host.crypto.seal({ key: ${key}, message: 'a', nonce: { hex: '00'.repeat(12) } })`,
    ),
    'a sealed message without a tag': refused(
      `host.crypto.open({ key: ${key}, sealed: 'AAAAAAAAAAAAAAAA' })`,
    ),
    'a key as PEM': refused(
      `host.crypto.verify({ publicKey: '-----BEGIN PUBLIC KEY-----', message: 'a', signature: { hex: '00'.repeat(64) } })`,
    ),
    'endless random bytes': refused(`host.crypto.random({ count: 1e9 })`),
    'a negative count': refused(`host.crypto.random({ count: -1 })`),
    'no number': refused(`host.crypto.random({ count: '16' })`),
    'a message above the limit': refused(
      `host.crypto.digest({ algorithm: 'md5', message: 'a'.repeat(1_100_000) })`,
    ),
    'bytes': refused(`host.crypto.digest(new Uint8Array(8))`),
    'the module of the host': `return host.crypto.createHash || host.crypto.constants || host.crypto.getCiphers ? won : null;`,
  },
}; // oxfmt-ignore
