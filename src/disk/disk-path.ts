/**
 * How paths are spelled. On the wire a path is absolute, `/` between names, each name
 * percent-encoded as by `encodeURIComponent`; inside, it is a `BytePath`. There is one spelling per
 * file: a path that would be spelled otherwise is refused, so that two spellings never name one file.
 */
import { DiskFault } from './disk-fault.ts';

/** A path as the disk has it, one character per byte (latin1): any name fits, and prefixes compare. */
export type BytePath = string;

/** The path as bytes. */
export const toBuffer = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** The path that `node:fs` knows as `local`. */
export const toBytePath = (local: string | Buffer): BytePath =>
  typeof local === 'string' && ascii.test(local) ? local : Buffer.from(local).toString('latin1');

const ascii = /^[\x01-\x7F]*$/;

/** What `node:fs` takes for it: a string where one can name it, since those are cheaper. */
export function toLocal(path: BytePath): string | Buffer {
  if (ascii.test(path)) return path;
  return toPlainPath(path) ?? toBuffer(path);
}

/** The name as it goes over the wire. A string is a name in UTF-8, a buffer any name. */
export function encodeName(name: string | Buffer): string {
  return typeof name === 'string' ? encodeURIComponent(name) : encodeBytes(name);
}

/** The path as it goes over the wire. */
export function encodePath(path: BytePath): string {
  return path.split('/').map(encodeSegment).join('/');
}

/** The path on this disk. Refuses what no listing would have given. */
export function parsePath(encoded: string): BytePath {
  if (encoded === '/') return '/';
  const [first, ...names] = encoded.split('/');
  if (first !== '' || names.length === 0) throw notAbsolute(encoded);
  return names.map((name) => `/${decodeName(name)}`).join('');
}

/** One name of a path on this disk. Refuses what no listing would have given. */
export function decodeName(name: string): BytePath {
  if (dots.has(name)) throw misspelled(name, 'must be neither empty nor "." nor ".."');
  if (plainName.test(name)) return name;
  const text = decodeText(name);
  const decoded = text === null ? decodeBytes(name) : toBytePath(text);
  if (/[/\0]/.test(decoded)) throw misspelled(name, 'must not have "/" or NUL in it');
  if ((text === null ? encodeSegment(decoded) : encodeURIComponent(text)) !== name) {
    throw misspelled(name, 'must be encoded as by encodeURIComponent');
  }
  return decoded;
}

/** Whether `path` is `folder` or below it; names count as a whole. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  if (folder === '/') return path.startsWith('/');
  return path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}

/** The path as a plain string, or `null` where a name is no UTF-8 and no string names it. */
export function toPlainPath(path: BytePath): string | null {
  const bytes = toBuffer(path);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

/** A plain path of this machine as it goes over the wire, without a slash at the end. */
export function encodePlainPath(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return encoded.length > 1 && encoded.endsWith('/') ? encoded.slice(0, -1) : encoded;
}

const dots = new Set(['', '.', '..']);
const plainName = /^[A-Za-z0-9\-_.!~*'()]*$/;

function encodeSegment(name: BytePath): string {
  return plainName.test(name) ? name : encodeBytes(toBuffer(name));
}

function encodeBytes(name: Buffer): string {
  let encoded = '';
  for (const byte of name) {
    const character = String.fromCharCode(byte);
    encoded += plainName.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** The name, or `null` when it is no UTF-8. */
function decodeText(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}

function decodeBytes(name: string): BytePath {
  return name.replace(/%([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function misspelled(name: string, rule: string): DiskFault {
  return new DiskFault('invalid_argument', `Name ${JSON.stringify(name.slice(0, 200))} ${rule}.`);
}

/** The refusal of a path that is not absolute. */
export function notAbsolute(path: string): DiskFault {
  const shown = JSON.stringify(path.slice(0, 200));
  return new DiskFault('invalid_argument', `Path ${shown} must begin with "/".`);
}
