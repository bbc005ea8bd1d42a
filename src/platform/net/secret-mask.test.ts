import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretMask } from './secret-mask.ts';

const secret = 'k3y/of+öö"sixteen';
const mask = createSecretMask([secret]);

describe('a mask', () => {
  test.each([
    ['as it is', secret],
    ['as JSON', JSON.stringify(secret).slice(1, -1)],
    ['percent-encoded', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ k: secret }).toString().slice(2)],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
  ])('masks the secret %s', (_, disguise) => {
    expect(mask.text(`before ${disguise} after`)).toMatch(/^before \*\*\*=* after$/);
    const bytes = mask.bytes(Buffer.from(`before ${disguise} after`));
    expect(Buffer.from(bytes).toString()).toMatch(/^before \*\*\*=* after$/);
  });

  test('masks it in longer base64, at any position', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (user, rest) => {
        const echoed = Buffer.from(`${user}:${secret}${rest}`).toString('base64');

        const given = Buffer.from(mask.text(echoed).replaceAll('*', ''), 'base64').toString();

        expect(given).not.toContain(secret.slice(2, -2));
      }),
    );
  });

  test('masks it in UTF-16', () => {
    const little = Buffer.from(`a ${secret} b`, 'utf16le');
    const big = Buffer.from(little).swap16();

    for (const bytes of [little, big]) {
      expect(Buffer.from(mask.bytes(bytes)).toString('latin1')).not.toContain('s\0i\0x\0t\0e');
    }
  });

  test('leaves everything else unchanged, byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(mask.bytes(bytes)).toBe(bytes);
      }),
    );
  });

  test('finds it in lower case, as in the name of a host', () => {
    expect(createSecretMask(['AbCdEf']).isIn('https://abcdef.example.org/')).toBe(true);
    expect(createSecretMask(['AbCdEf']).isIn('https://abcde.example.org/')).toBe(false);
  });
});
