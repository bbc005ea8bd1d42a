/**
 * The spelling of paths. On the wire a path is absolute, with `/` between names, each name
 * percent-encoded as by `encodeURIComponent`; inside, it is a `BytePath`. Each file has exactly one
 * spelling, and any other is refused, so that two spellings never name the same file. file.
 */
import { DiskFault } from './disk-fault.ts';

/**
 * A path as bytes, one character per byte (latin1), which represents any name and can be compared.
 */
export type BytePath = string;

/** The path as bytes. */
export const toBuffer = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** The path with the `node:fs` name `local`. */
export const toBytePath = (local: string | Buffer): BytePath =>
  typeof local === 'string' && ascii.test(local) ? local : Buffer.from(local).toString('latin1');

const ascii = /^[\x01-\x7F]*$/;

/** The form for `node:fs`: a string if possible, since strings are cheaper. */
export function toLocal(path: BytePath): string | Buffer {
  if (ascii.test(path)) return path;
  return toPlainPath(path) ?? toBuffer(path);
}

/** The name on the wire. A string is a name in UTF-8, a buffer any name. */
export function encodeName(name: string | Buffer): string {
  return typeof name === 'string' ? encodeURIComponent(name) : encodeBytes(name);
}

/** The path on the wire. */
export function encodePath(path: BytePath): string {
  return path.split('/').map(encodeSegment).join('/');
}

/** The path on this disk. Refuses every spelling that a listing would not give. */
export function parsePath(encoded: string): BytePath {
  if (encoded === '/') return '/';
  const [first, ...names] = encoded.split('/');
  if (first !== '' || names.length === 0) throw notAbsolute(encoded);
  return names.map((name) => `/${decodeName(name)}`).join('');
}

/** One name of a path. Refuses every spelling that a listing would not give. */
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

/** Whether `path` is `folder` or below it; only whole names match. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  if (folder === '/') return path.startsWith('/');
  return path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}

/** A name in a folder. */
export const join = (folder: BytePath, name: BytePath): BytePath =>
  folder === '/' ? `/${name}` : `${folder}/${name}`;

/** The path as a plain string, or `null` if a name is not UTF-8. */
export function toPlainPath(path: BytePath): string | null {
  const bytes = toBuffer(path);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

/** A plain path of this machine on the wire, without a trailing slash. */
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

/** The name, or `null` when it is not UTF-8. */
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
