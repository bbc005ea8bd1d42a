/**
 * The passphrase, for users whose passkeys have no PRF. An attacker with the broker's database can
 * guess it offline, so by default it consists of six random words, and each guess costs 64 MiB and
 * three passes of argon2id.
 */
import { fromBase64url, toBase64url } from '../../../lib/identity-protocol/index.ts';
import { randomBytes } from './random-bytes.ts';
import type { VaultSecret } from './vault-secret.ts';
import type { VaultWrap } from '../service/web-api.ts';

const words = 6;
const chosen = { m: 65_536, t: 3, p: 1 } as const;
/** Above these limits a page would hang, so such a vault is refused. */
const most = { m: 1_048_576, t: 16, p: 4 } as const;

/** Six words of a list of 2048: 66 bits. */
export async function createPassphrase(): Promise<string> {
  const { wordlist } = await import('@scure/bip39/wordlists/english.js');
  const picks = new Uint16Array(randomBytes(words * 2).buffer);
  return Array.from(picks, (pick) => wordlist[pick % wordlist.length]).join(' ');
}

/** Whether a phrase of the user is strong enough: it has the best score of zxcvbn, 4. */
export async function isStrongPassphrase(
  phrase: string,
  known: readonly string[],
): Promise<boolean> {
  const { passphraseScore } = await import('./passphrase-score.ts');
  return passphraseScore(normal(phrase), known) >= 4;
}

/** The secret of a new phrase. */
export const newPassphraseSecret = (phrase: string): Promise<VaultSecret> =>
  derive(phrase, randomBytes(16), chosen);

/**
 * The secret of the phrase for an existing wrap. A wrap with weaker parameters than this page uses
 * was weakened; one with far higher parameters would hang the page. Both are refused as `weak_kdf`.
 */
export async function passphraseSecret(
  phrase: string,
  { ref, kdf }: Pick<VaultWrap, 'ref' | 'kdf'>,
): Promise<VaultSecret | 'weak_kdf'> {
  const salt = fromBase64url(ref);
  if (kdf === undefined || salt?.length !== 16) return 'weak_kdf';
  const names = ['m', 't', 'p'] as const;
  const isFair = names.every((name) => kdf[name] >= chosen[name] && kdf[name] <= most[name]);
  return isFair ? derive(phrase, salt, kdf) : 'weak_kdf';
}

async function derive(
  phrase: string,
  salt: Uint8Array<ArrayBuffer>,
  kdf: NonNullable<VaultWrap['kdf']>,
): Promise<VaultSecret> {
  const { argon2id } = await import('./argon2.ts');
  const ikm = await argon2id({
    password: normal(phrase),
    salt,
    memorySize: kdf.m,
    iterations: kdf.t,
    parallelism: kdf.p,
    hashLength: 32,
    outputType: 'binary',
  });
  return { type: 'passphrase', ref: toBase64url(salt), ikm: new Uint8Array(ikm), kdf };
}

/** Normalizes spelling and spaces, which differ between keyboards. */
const normal = (phrase: string): string => phrase.normalize('NFKC').trim().replace(/\s+/g, ' ');
