import { createCipheriv, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { createCryptoService } from './crypto-service.ts';

const host = callService(createCryptoService(randomBytes), {}, 'film-index');
const key = { hex: '11'.repeat(32) };

describe('host.crypto', () => {
  test('gives the digests and MACs of the RFCs', async () => {
    expect(await host('digest', { algorithm: 'md5', message: 'abc' })).toEqual({
      digest: '900150983cd24fb0d6963f7d28e17f72',
    });
    const quick = 'what do ya want for nothing?';
    expect(await host('hmac', { algorithm: 'sha256', key: 'Jefe', message: quick })).toEqual({
      mac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    });
    expect(
      await host('hmac', { algorithm: 'sha1', key: { base64: 'SmVmZQ==' }, message: quick }),
    ).toEqual({ mac: 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79' });
    const { mac } = (await host('hmac', {
      ...{ algorithm: 'sha512', key: 'Jefe', message: quick, encoding: 'base64' },
    })) as { mac: string };
    expect(Buffer.from(mac, 'base64').toString('hex')).toBe(
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554' +
        '9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    );
  });

  test('opens what it sealed, and what another AES-256-GCM sealed in the same layout', async () => {
    const { sealed } = (await host('seal', { key, message: 'Grüße', associated: 'a' })) as {
      sealed: string;
    };
    expect(await host('open', { key, sealed, associated: 'a' })).toEqual({ message: 'Grüße' });

    const nonce = Buffer.alloc(12, 5);
    const cipher = createCipheriv('aes-256-gcm', Buffer.alloc(32, 0x11), nonce);
    const foreign = Buffer.concat([nonce, cipher.update('x'), cipher.final(), cipher.getAuthTag()]);
    expect(
      await host('open', { key, sealed: foreign.toString('base64'), encoding: 'hex' }),
    ).toEqual({ message: '78' });
  });

  test('seals the same message twice under different nonces', async () => {
    expect(await host('seal', { key, message: 'a' })).not.toEqual(
      await host('seal', { key, message: 'a' }),
    );
  });

  test('opens nothing of which a bit, the key or the associated bytes differ', async () => {
    const { sealed } = (await host('seal', { key, message: 'secret' })) as { sealed: string };
    const bytes = Buffer.from(sealed, 'base64');
    const inputs = [
      ...[...bytes.keys()].map((at) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        return { key, sealed: changed.toString('base64') };
      }),
      { key: { hex: '12'.repeat(32) }, sealed },
      { key, sealed, associated: 'other' },
      { key, sealed: bytes.subarray(0, 27).toString('base64') },
      { key, sealed: '' },
    ];

    for (const input of inputs)
      await expect(host('open', input)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('tells valid Ed25519 signatures from others', async () => {
    const pair = generateKeyPairSync('ed25519');
    const publicKey = {
      base64: pair.publicKey.export({ format: 'raw-public' }).toString('base64'),
    };
    const signature = { base64: sign(null, Buffer.from('hi'), pair.privateKey).toString('base64') };

    expect(await host('verify', { publicKey, message: 'hi', signature })).toEqual({ valid: true });
    expect(await host('verify', { publicKey, message: 'ho', signature })).toEqual({ valid: false });
    expect(
      await host('verify', { publicKey: { hex: 'ff'.repeat(32) }, message: 'hi', signature }),
    ).toEqual({ valid: false });
  });

  test('compares bytes in any encoding, and gives as many random bytes as asked for', async () => {
    expect(await host('equal', { a: 'abc', b: { hex: '616263' } })).toEqual({ equal: true });
    expect(await host('equal', { a: 'abc', b: 'abd' })).toEqual({ equal: false });
    expect(await host('equal', { a: 'abc', b: 'ab' })).toEqual({ equal: false });
    const { bytes } = (await host('random', { count: 16 })) as { bytes: string };
    expect(bytes).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each([
    ['digest', { algorithm: 'md5', message: '\ud800' }, 'digest: message has half of a surrogate'],
    ['digest', { algorithm: 'md5', message: { hex: 'abc' } }, 'two digits for each byte'],
    ['digest', { algorithm: 'md5', message: { hex: 'zz' } }, 'two digits for each byte'],
    ['digest', { algorithm: 'md5', message: { base64: 'YQ' } }, 'not base64 with padding'],
    ['digest', { algorithm: 'md5', message: { base64: 'YR==' } }, 'not base64 with padding'],
    ['hmac', { algorithm: 'sha1', key: '', message: 'a' }, 'is empty; it needs at least 1 byte'],
    ['seal', { key: 'short', message: 'a' }, 'seal: key has 5 bytes; it needs 32'],
    [
      'verify',
      { publicKey: 'a', message: 'a', signature: 'a' },
      'publicKey has 1 bytes; it needs 32',
    ],
  ])('%s refuses %j and says why', async (method, input, why) => {
    await expect(host(method, input)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(why) as string,
    });
  });
});
