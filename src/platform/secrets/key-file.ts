/**
 * Keys that come from outside the data folder, such as a mounted secret: then the data folder of a
 * server is only a cache and may be empty. The keys are laid into it, where everything finds them.
 */
import { createPrivateKey } from 'node:crypto';
import path from 'node:path';
import { ConfigError } from '../config.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';
import { parseServerKey } from './server-key.ts';

/** Lays the keys of the file into the data folder; refuses a data folder with other keys. */
export function layKeys(dataFolder: string, file: string): void {
  const text = readSecretFile(file, { mayGroupRead: true });
  if (text === null) throw new ConfigError(`${file} does not exist. ${howMade}`);
  const [, key = '', pem = ''] = /^(.*)\n([\s\S]*)$/.exec(text) ?? [];
  parseServerKey(key, file);
  if (!isIdentity(pem))
    throw new ConfigError(`${file} lacks the text of server-id.key. ${howMade}`);
  lay(path.join(dataFolder, 'server.key'), `${key}\n`, file);
  lay(path.join(dataFolder, 'server-id.key'), `${pem.trim()}\n`, file);
}

function lay(place: string, text: string, file: string): void {
  if (readSecretFile(place) === null) createSecretFile(place, text);
  if (readSecretFile(place)?.trim() === text.trim()) return;
  throw new ConfigError(
    `${place} is another key than that of ${file}: this data folder is that of another server. Give an empty one, or leave the file out.`,
  );
}

function isIdentity(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

const howMade =
  'It holds the keys of the first server, one under the other: cat server.key server-id.key > <file>, from its data folder.';
