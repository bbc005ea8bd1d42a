/**
 * The key that encrypts all secrets in the database. Its file lies beside the database, so a copy
 * of the database alone reveals no secret. A lost key cannot be restored: the encrypted values must
 * be entered again, but nothing else is affected.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { ConfigError } from '../config.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';

export interface ServerKeyParts {
  readonly dataFolder: string;
  readonly random: (count: number) => Buffer;
}

const keyBytes = 32;
const label = 'vitrine-server-key-1';

/** The key of `<data>/server.key`, which is created if it is missing. */
export function openServerKey({ dataFolder, random }: ServerKeyParts): Buffer {
  const file = path.join(dataFolder, 'server.key');
  const there = readSecretFile(file);
  if (there !== null) return parseServerKey(there, file);
  createSecretFile(file, lineOf(random(keyBytes)));
  // Of two concurrent starts, the first one has created the key.
  return parseServerKey(readSecretFile(file) ?? '', file);
}

const lineOf = (key: Buffer): string => `${label} ${key.toString('hex')} ${checksum(key)}\n`;

const checksum = (key: Buffer): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 16);

/** The checksum detects a damaged key before it encrypts anything. */
export function parseServerKey(text: string, file: string): Buffer {
  const [, hex = ''] = /^vitrine-server-key-1 ([0-9a-f]{64}) [0-9a-f]{16}\n?$/.exec(text) ?? [];
  const key = Buffer.from(hex, 'hex');
  if (text.trimEnd() === lineOf(key).trimEnd() && key.length === keyBytes) return key;
  throw new ConfigError(
    `${file} is damaged: restore it from a backup. Without a backup, remove it, and enter the license key and the secrets of plugins again.`,
  );
}
