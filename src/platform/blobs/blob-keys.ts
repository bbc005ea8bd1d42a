import { readFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';
import type { BlobKeys } from './s3-blobs.ts';

/**
 * The keys of a bucket: two lines of a file, or two variables of the environment, which `given` has.
 * Throws a {@link ConfigError} that names what is missing, and never a key.
 */
export function readBlobKeys(file: string | null, given: BlobKeys | null): BlobKeys {
  if (file === null) {
    if (given !== null) return given;
    throw new ConfigError(
      '--blobs s3://…: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --blobs-key-file with both, one a line.',
    );
  }
  const [accessKeyId = '', secretAccessKey = '', ...rest] = linesOf(file);
  if (accessKeyId !== '' && secretAccessKey !== '' && rest.length === 0)
    return { accessKeyId, secretAccessKey };
  throw new ConfigError(
    `--blobs-key-file ${file}: it must have two lines, the id of the key and the secret.`,
  );
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split(/\s*\n\s*/);
  } catch {
    throw new ConfigError(`--blobs-key-file ${file}: it cannot be read.`);
  }
}
