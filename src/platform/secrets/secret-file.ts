/**
 * Files that hold a secret. Such a file is created atomically and readable only by its owner. A
 * file that others can read is refused, because its secret may have been read.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { ConfigError } from '../config.ts';

/** A key file has a line or two, so a longer file is refused. */
const longest = 10_000;

/**
 * The text of the file; `null` when it is missing. Throws a {@link ConfigError} with the fault.
 * `mayGroupRead`: as orchestrators mount a secret.
 */
export function readSecretFile(
  file: string,
  { mayGroupRead = false }: { readonly mayGroupRead?: boolean } = {},
): string | null {
  const descriptor = openIfThere(file);
  if (descriptor === null) return null;
  try {
    const stats = fstatSync(descriptor);
    const { mode, size } = stats;
    if (!stats.isFile()) throw new ConfigError(`${file} is not a file.`);
    if (process.platform !== 'win32' && (mode & (mayGroupRead ? 0o037 : 0o077)) !== 0) {
      throw new ConfigError(
        `${file} can be read by other users (mode ${(mode & 0o777).toString(8)}): it holds a secret, so allow only its owner, for example with chmod 600.`,
      );
    }
    if (size > longest) throw new ConfigError(`${file} is not a key file: it has ${size} bytes.`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes a file with mode 0600, synced to disk before it gets its name. Returns false when the file
 * exists already; it is not changed.
 */
export function createSecretFile(file: string, text: string): boolean {
  const staged = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = opened(staged);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    linkSync(staged, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new ConfigError(`${file} cannot be written: ${String(error)}.`);
  } finally {
    closeSync(descriptor);
    rmSync(staged, { force: true });
  }
}

function opened(staged: string): number {
  try {
    return openSync(staged, 'wx', 0o600);
  } catch (error) {
    throw new ConfigError(`${staged} cannot be written: ${String(error)}.`);
  }
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new ConfigError(`${file} cannot be read: ${String(error)}.`);
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
