import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTestIssuer } from '../../../test/support/plugins/license.ts';
import { maskedKey, verifyLicenseKey } from './index.ts';

const { issuer, issue } = createTestIssuer();
const key = issue({ limits: { users: 5, libraries: 0 }, seats: 3 });
const other = generateKeyPairSync('ed25519').privateKey;
const codeOf = (licenseKey: string, by: string | null = issuer) => {
  const verdict = verifyLicenseKey(licenseKey, by);
  return verdict.ok ? 'good' : verdict.code;
};
/** A signed key with any text as claims. */
const signed = (text: string) => {
  const bytes = Buffer.from(text);
  return `VIT1.${bytes.toString('base64url')}.${sign(null, bytes, other).toString('base64url')}`;
};
const claims = { exp: 2e9, iat: 1, id: 'a', limits: {}, seats: 1, tier: 'b' };
const with_ = (changes: object) => signed(JSON.stringify({ ...claims, ...changes }));

describe('a license key', () => {
  test('has the claims that its issuer signed', () => {
    expect(verifyLicenseKey(key, issuer)).toMatchObject({
      ok: true,
      claims: { id: 'license-1', tier: 'home', limits: { users: 5, libraries: 0 }, seats: 3 },
    });
  });

  test('is BAD_SIGNATURE when another key signed it', () => {
    expect(codeOf(createTestIssuer().issue())).toBe('BAD_SIGNATURE');
    expect(codeOf(with_({}))).toBe('BAD_SIGNATURE');
  });

  test('is UNKNOWN_ISSUER where no issuer is configured', () => {
    expect(codeOf(key, null)).toBe('UNKNOWN_ISSUER');
  });

  test.each([
    ['is empty', ''],
    ['is a word', 'hello'],
    ['has no signature', key.slice(0, key.lastIndexOf('.'))],
    ['has an extra part', `${key}.`],
    ['has another form', key.replace('VIT1', 'VIT2')],
    ['has a lower-case form', key.replace('VIT1', 'vit1')],
    ['has padding', `${key}==`],
    ['has a space', key.replace('.', '. ')],
    ['is far too long', `VIT1.${'A'.repeat(10_000)}.AA`],
    ['has a signature that is too short', key.slice(0, -4)],
    ['is not canonical', signed('{"tier":"b","exp":2,"iat":1,"id":"a","limits":{},"seats":1}')],
    [
      'has a claim twice',
      signed('{"exp":2,"exp":3,"iat":1,"id":"a","limits":{},"seats":1,"tier":"b"}'),
    ],
    ['lacks a claim', signed('{"exp":2,"iat":1,"id":"a","limits":{},"seats":1}')],
    ['has an extra claim', with_({ zeal: 1 })],
    ['has no seat', with_({ seats: 0 })],
    ['has half a seat', with_({ seats: 1.5 })],
    ['ends before it begins', with_({ exp: 1 })],
    ['has milliseconds', with_({ exp: 2e12 })],
    ['has a limit below zero', with_({ limits: { users: -1 } })],
    ['has a limit that is a text', with_({ limits: { users: '5' } })],
    ['has limits in a list', with_({ limits: [5] })],
    ['has a number for its id', with_({ id: 5 })],
    ['has a line end in its tier', with_({ tier: 'a\nb' })],
    ['is a list', signed('[1]')],
    ['is not JSON', signed('hello')],
  ])('is MALFORMED when it %s', (_, licenseKey) => {
    expect(codeOf(licenseKey)).toBe('MALFORMED');
  });

  test('is not valid with any changed letter', () => {
    fc.assert(
      fc.property(
        fc.nat(key.length - 1),
        fc.constantFrom(...'ABCXYZabcxyz019-_.= '.split('')),
        (index, letter) => {
          const changed = key.slice(0, index) + letter + key.slice(index + 1);
          if (changed !== key) expect(codeOf(changed)).not.toBe('good');
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is shown with its last four letters only', () => {
    expect(maskedKey(key)).toBe(`****${key.slice(-4)}`);
  });
});
