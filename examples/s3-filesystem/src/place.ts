/**
 * The URI of an object: `s3://bucket/folder/name`, each name percent-encoded as by
 * `encodeURIComponent`. Keys may be any text; a key without such a URI, such as `a//b` or `a/../b`,
 * is not shown.
 */
import { fault } from './fault.ts';

/** A place in a bucket. */
export interface Place {
  readonly bucket: string;
  /** Empty for the bucket itself. */
  readonly key: string;
  /** Prefix of the keys below: empty, or ending in a slash. */
  readonly prefix: string;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Reads a URI; throws for one that is not a place in a bucket. */
export function parsePlace(uri: string): Place {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(uri) ?? [];
  if (!bucketName.test(bucket))
    throw fault('invalid_argument', 'A root is a bucket or a folder of it: s3://my-bucket/films.');
  const key = decode(path);
  return { bucket, key, prefix: key === '' ? '' : `${key}/` };
}

/** The URI of a key. */
export const uriOf = (bucket: string, key: string): string =>
  `s3://${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

/** Whether a URI can name the key of a file: none of its names is empty, `.` or `..`. */
export const isNameable = (key: string): boolean =>
  key.isWellFormed() &&
  !key.includes('\0') &&
  key.split('/').every((name) => name !== '' && name !== '.' && name !== '..');

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw fault('invalid_argument', 'The path is not percent-encoded UTF-8.');
  }
}
