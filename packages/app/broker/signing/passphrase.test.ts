import { describe, expect, test } from 'vitest';
import type { VaultWrap } from '../service/web-api.ts';
import {
  createPassphrase,
  isStrongPassphrase,
  newPassphraseSecret,
  passphraseSecret,
} from './passphrase.ts';
import { createVault, openVault, wrapOf } from './vault.ts';

const phrase = 'zebra ordinary café lunar ticket maple';
const weak = { ref: 'AAAAAAAAAAAAAAAAAAAAAA' };

describe('A passphrase', () => {
  test('opens the vault in any Unicode form and spacing, and a wrong one does not', async () => {
    const secret = await newPassphraseSecret(phrase);
    const { vault, identity } = await createVault('user-one', [secret]);
    const wrap = wrapOf(vault, secret);
    if (wrap === undefined) throw new Error('There is a wrap.');
    const open = async (typed: string) => {
      const again = await passphraseSecret(typed, wrap);
      if (again === 'weak_kdf') throw new Error(again);
      return openVault(vault, { account: identity, secret: again, purpose: 'sign' });
    };

    const typed = ` ${phrase.normalize('NFD').replaceAll(' ', '  ')}\n`;
    expect(await open(typed)).toMatchObject({ identity: { userPubKey: identity.userPubKey } });
    expect(await open('zebra ordinary cafe lunar ticket maple')).toBe('wrong_secret');
    expect(wrap.kdf).toEqual({ m: 65_536, t: 3, p: 1 });
  });

  test.each<[string, NonNullable<VaultWrap['kdf']>]>([
    ['less memory', { m: 65_535, t: 3, p: 1 }],
    ['fewer passes', { m: 65_536, t: 2, p: 1 }],
    ['no lane', { m: 65_536, t: 3, p: 0 }],
    ['more memory than a page has', { m: 1_048_577, t: 3, p: 1 }],
    ['too many passes', { m: 65_536, t: 17, p: 1 }],
  ])('is not derived with %s than this page allows', async (_what, kdf) => {
    expect(await passphraseSecret(phrase, { ...weak, kdf })).toBe('weak_kdf');
  });

  test('is not derived without a salt or without parameters', async () => {
    expect(await passphraseSecret(phrase, weak)).toBe('weak_kdf');
    expect(await passphraseSecret(phrase, { ref: '', kdf: { m: 65_536, t: 3, p: 1 } })).toBe(
      'weak_kdf',
    );
  });

  test('consists of six words of a list of 2048', async () => {
    const { wordlist } = await import('@scure/bip39/wordlists/english.js');

    const made = (await createPassphrase()).split(' ');

    expect(wordlist).toHaveLength(2048);
    expect(made).toHaveLength(6);
    for (const word of made) expect(wordlist).toContain(word);
    expect(await createPassphrase()).not.toBe(made.join(' '));
  });

  test('that a user chose is accepted only when it is hard to guess', async () => {
    expect(await isStrongPassphrase('correct horse', [])).toBe(false);
    expect(await isStrongPassphrase('password123!', [])).toBe(false);
    expect(await isStrongPassphrase('ada.lovelace.1815', ['ada.lovelace'])).toBe(false);
    expect(await isStrongPassphrase(await createPassphrase(), [])).toBe(true);
  });
});
