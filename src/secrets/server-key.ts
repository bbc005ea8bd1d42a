/**
 * The key that everything secret in the database is sealed with. It lies beside the database, not in
 * it, so that a copy of the database alone gives no secret away. Lost, it cannot be made again: what
 * was sealed with it must be entered anew, and nothing else breaks.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { ConfigError } from '../config.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';

/** What the key is made of. */
export interface ServerKeyParts {
  readonly dataFolder: string;
  readonly random: (count: number) => Buffer;
}

const keyBytes = 32;
const label = 'vitrine-server-key-1';

/** The key of `<data>/server.key`, which is made when it is not there. */
export function openServerKey({ dataFolder, random }: ServerKeyParts): Buffer {
  const file = path.join(dataFolder, 'server.key');
  const there = readSecretFile(file);
  if (there !== null) return parsed(there, file);
  createSecretFile(file, lineOf(random(keyBytes)));
  // Of two that start at once, the one that came first has made the key.
  return parsed(readSecretFile(file) ?? '', file);
}

const lineOf = (key: Buffer): string => `${label} ${key.toString('hex')} ${checksum(key)}\n`;

const checksum = (key: Buffer): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 16);

/** The checksum tells a damaged key from a good one before anything was sealed with it. */
function parsed(text: string, file: string): Buffer {
  const [, hex = ''] = /^vitrine-server-key-1 ([0-9a-f]{64}) [0-9a-f]{16}\n?$/.exec(text) ?? [];
  const key = Buffer.from(hex, 'hex');
  if (text.trimEnd() === lineOf(key).trimEnd() && key.length === keyBytes) return key;
  throw new ConfigError(
    `${file} is damaged: put it back from a backup. Without one, remove it, and enter the license key and the secrets of plugins again.`,
  );
}
