/**
 * Archives in the ustar format, in exactly the form that the writer makes: regular files sorted by
 * path, no times, owners, links, folders or extensions. The reader takes path and size from a header
 * and then requires that exact header, byte for byte. So no field can hide data that only some tar
 * programs read, and every other kind of entry is refused.
 */
import { clashFault, pathFault } from './package-path.ts';

/** The files of a package, by path. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** The files, or why there are none, as the end of a sentence that names the package. */
export type TarReading =
  | { readonly ok: true; readonly files: PackageFiles }
  | { readonly ok: false; readonly fault: string };

export const mostFiles = 1000;
export const mostBytes = 50 * 1024 * 1024;

const block = 512;
/** The longest archive within the limits: a header and padding for each file, and the end. */
export const longestTar = mostBytes + mostFiles * 2 * block + 2 * block;

/** Makes the archive. The paths must be valid: see {@link packageFault}. */
export function writeTar(files: PackageFiles): Uint8Array {
  const parts = [...files.keys()].sort(byBytes).flatMap((path) => {
    const content = files.get(path) ?? new Uint8Array();
    return [header(path, content.length), content, new Uint8Array(paddingOf(content.length))];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * block)]);
}

/** Reads an archive that the writer could have made. */
export function readTar(bytes: Uint8Array): TarReading {
  const files = new Map<string, Uint8Array>();
  let last = '';
  let at = 0;
  while (at + block <= bytes.length && bytes[at] !== 0) {
    const head = bytes.subarray(at, at + block);
    const path = pathIn(head);
    const size = sizeIn(head);
    const fault = pathFault(path);
    if (fault !== null) return { ok: false, fault };
    if (size === null || !isEqual(head, header(path, size)))
      return refused('has an entry that is not a plain file as vitrine packs it');
    if (files.size > 0 && byBytes(last, path) >= 0)
      return refused('has its files in another order, or one of them twice');
    const end = at + block + size;
    const next = end + paddingOf(size);
    if (next > bytes.length) return refused('ends in the middle of a file');
    if (!isZero(bytes.subarray(end, next))) return refused('has bytes in the padding after a file');
    files.set(path, bytes.subarray(at + block, end));
    if (files.size > mostFiles) return refused(`has more than ${mostFiles} files`);
    last = path;
    at = next;
  }
  if (bytes.length !== at + 2 * block || !isZero(bytes.subarray(at)))
    return refused('does not end as an archive ends');
  const fault = packageFault(files);
  return fault === null ? { ok: true, files } : { ok: false, fault };
}

/** Why these files are not a package, or `null`. */
export function packageFault(files: PackageFiles): string | null {
  const paths = [...files.keys()];
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (paths.length > mostFiles) return `has more than ${mostFiles} files`;
  if (bytes > mostBytes) return `is larger than ${mostBytes} bytes unpacked`;
  for (const path of paths) {
    const fault = pathFault(path);
    if (fault !== null) return fault;
  }
  return clashFault(paths);
}

const refused = (fault: string): TarReading => ({ ok: false, fault });

/** All paths are ASCII, so the order of characters is the order of bytes. */
const byBytes = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const paddingOf = (size: number): number => (block - (size % block)) % block;

const longestName = 100;

function header(path: string, size: number): Uint8Array {
  const head = Buffer.alloc(block);
  const { prefix, name } = split(path);
  head.write(name, 0, 'latin1');
  head.write('0000644\0' + '0000000\0' + '0000000\0', 100, 'latin1');
  head.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124, 'latin1');
  head.write('        0', 148, 'latin1');
  head.write('ustar\x0000', 257, 'latin1');
  head.write('0000000\x000000000\0', 329, 'latin1');
  head.write(prefix, 345, 'latin1');
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}

/** A path that is too long for the name field is split at the first slash after which the rest fits. */
function split(path: string): { readonly prefix: string; readonly name: string } {
  if (path.length <= longestName) return { prefix: '', name: path };
  const cut = path.indexOf('/', path.length - longestName - 1);
  return { prefix: path.slice(0, cut), name: path.slice(cut + 1) };
}

function pathIn(head: Uint8Array): string {
  const [name, prefix] = [textIn(head, 0, longestName), textIn(head, 345, 155)];
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textIn(head: Uint8Array, at: number, length: number): string {
  const field = Buffer.from(head.subarray(at, at + length)).toString('latin1');
  return field.split('\0', 1)[0] ?? '';
}

function sizeIn(head: Uint8Array): number | null {
  const text = textIn(head, 124, 12);
  const size = /^[0-7]{11}$/.test(text) ? Number.parseInt(text, 8) : mostBytes + 1;
  return size <= mostBytes ? size : null;
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
