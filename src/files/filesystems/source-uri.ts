/**
 * URIs of files, in their canonical spelling: `scheme://authority/name/name`, each name percent-encoded
 * as by `encodeURIComponent`. Confinement to roots compares URIs as text, so a URI in
 * another spelling is refused before the comparison.
 */
import { KernelError } from '../../../kernel/index.ts';

const spelling = /^([a-z][a-z0-9+.-]*):\/\/([^/%?#\s]*)((?:\/[A-Za-z0-9\-_.!~*'()%]+)*)$/;
const escapes = /%(?![0-9A-F]{2})/;
/** Unreserved characters must not be escaped, and a name has no `/` and no NUL. */
const forbiddenEscapes =
  /%(?:2F|00|2D|2E|5F|7E|21|27|28|29|2A|3[0-9]|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])/;

/** The scheme of a well-spelled URI, without the colon. Throws `invalid_argument` for any other URI. */
export function schemeOf(uri: string): string {
  const [, scheme, authority, path] = spelling.exec(uri) ?? [];
  if (scheme === undefined || path === undefined) throw misspelled(uri);
  if (authority === '.' || authority === '..') throw misspelled(uri);
  if (escapes.test(path) || forbiddenEscapes.test(path)) throw misspelled(uri);
  if (path.split('/').some((name) => name === '.' || name === '..')) throw misspelled(uri);
  return scheme;
}

/** Whether a URI has its canonical spelling. */
export function isSpelled(uri: string): boolean {
  try {
    schemeOf(uri);
    return true;
  } catch {
    return false;
  }
}

/** Whether a well-spelled URI is a root or below it. */
export const isBelow = (uri: string, root: string): boolean =>
  uri === root || uri.startsWith(`${root}/`);

function misspelled(uri: string): KernelError {
  const shown = JSON.stringify(uri.slice(0, 200));
  const right =
    'scheme://folder/name, each name percent-encoded as by encodeURIComponent, without . and ..';
  return new KernelError('invalid_argument', `URI ${shown} must be spelled ${right}.`);
}
