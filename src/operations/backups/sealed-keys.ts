/**
 * The keys of a server under a passphrase: scrypt derives a key from it, and AES-256-GCM encrypts with
 * that. docs/backups.md has the form, so the keys can also be opened without Vitrine.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from './backup-error.ts';

/** The texts of key files, by file name. */
export type KeyTexts = Readonly<Record<string, string>>;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
/** 32 MiB of memory and a few tenths of a second, for the owner and for every guess. */
const cost = { N: 32_768, r: 8, p: 3 };
const head = { v: 1, kdf: 'scrypt', ...cost, cipher: 'aes-256-gcm' } as const;
/** The longest text of the part, in characters. */
const longest = 65_536;
const [saltBytes, ivBytes, keyBytes] = [16, 12, 32];

interface SealedKeys {
  /** Base64, as all others. */
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly keys: string;
}

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), salt, keyBytes, { ...cost, maxmem: 64 * 1024 ** 2 });

/** Encrypts the keys; gives the text of the part. */
export async function sealKeys(keys: KeyTexts, passphrase: string): Promise<string> {
  const [salt, iv] = [randomBytes(saltBytes), randomBytes(ivBytes)];
  const cipher = createCipheriv(head.cipher, await keyOf(passphrase, salt), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()]);
  const fields = { salt, iv, tag: cipher.getAuthTag(), keys: sealed };
  const texts = Object.entries(fields).map(([name, bytes]) => [name, bytes.toString('base64')]);
  return `${JSON.stringify({ ...head, ...Object.fromEntries(texts) }, null, 2)}\n`;
}

/** Decrypts the keys; rejects with a {@link BackupError} when the passphrase is wrong. */
export async function openKeys(text: string, passphrase: string): Promise<KeyTexts> {
  const { salt, iv, tag, keys } = parse(text);
  const decipher = createDecipheriv(
    head.cipher,
    await keyOf(passphrase, Buffer.from(salt, 'base64')),
    Buffer.from(iv, 'base64'),
    { authTagLength: 16 },
  );
  try {
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    const opened = Buffer.concat([decipher.update(Buffer.from(keys, 'base64')), decipher.final()]);
    return parseKeys(opened.toString('utf8'));
  } catch {
    throw new BackupError('The passphrase is not the one of this backup.');
  }
}

function parse(text: string): SealedKeys {
  const value = parseObject(text);
  const isKnown = Object.entries(head).every(([name, set]) => value[name] === set);
  const isSealed = (['salt', 'iv', 'tag', 'keys'] as const).every(
    (name) => typeof value[name] === 'string',
  );
  if (isKnown && isSealed) return value as unknown as SealedKeys;
  throw new BackupError('Its keys are sealed in a form that this version does not know.');
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    if (text.length <= longest) return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    // Refused as any other form that is not known.
  }
  return {};
}

function parseKeys(text: string): KeyTexts {
  const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (Object.values(value).every((key) => typeof key === 'string')) return value as KeyTexts;
  throw new BackupError('Its sealed keys are not texts.');
}
