import { ConfigError } from '../config.ts';
import { readSecretFile } from './secret-file.ts';

const fewestCharacters = 12;

/** The passphrase in a file that only its owner can read; a line end after it does not count. */
export function readPassphrase(file: string): string {
  const text = readSecretFile(file)?.replace(/\r?\n$/, '');
  if (text === undefined) throw new ConfigError(`The passphrase file ${file} does not exist.`);
  if (text.length >= fewestCharacters && !text.includes('\n')) return text;
  throw new ConfigError(
    `The passphrase file ${file} must hold one line with at least ${fewestCharacters} characters.`,
  );
}
