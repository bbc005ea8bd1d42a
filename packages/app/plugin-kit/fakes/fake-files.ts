/** `host.fs` over a fake library: listings and bytes of files that are not on a disk. */
import { KernelError, type HostService } from '../../../../kernel/index.ts';
import {
  createIgnoredNames,
  type FileEntry,
  type FileListing,
  type ListFilesInput,
  type ReadFileInput,
} from '../../../../plugin-api/index.ts';
import { createFsService, type FileReads } from '../../../../src/files/filesystems/index.ts';
import { extensionOf, type FakeFile } from './fake-item.ts';
import type { FakeLibrary } from './fake-library.ts';

const usualLimit = 500;
/** Marks a range that could not be read, in place of its length. */
const unreadable = 0xffffffff;

/** Creates the service, with the limits and the order of the real one. */
export function createFakeFiles(library: FakeLibrary): HostService<'fs'> {
  const everyone = { batchSize: async (wanted: number) => wanted };
  const reads: FileReads = {
    list: async (input) => list(library, input),
    stat: async (uri) => stat(library, uri),
    read: async (range) => bytesOf(find(library, range.uri), range),
    readRanges: async (ranges) => packed(library, ranges),
    open: () => {
      throw new KernelError('no_filesystem', 'that');
    },
    localPaths: async () => new Map(),
  };
  return createFsService({ ...reads, grantedTo: () => reads }, everyone);
}

/** The bytes of a range; fewer at the end. For a file without content they are derived from its URI. */
export function bytesOf(file: FakeFile, { offset, length }: ReadFileInput): Uint8Array {
  const end = Math.min(offset + length, file.size);
  if (file.content) return file.content.slice(offset, end);
  const seed = seedOf(file.uri);
  return Uint8Array.from({ length: Math.max(0, end - offset) }, (_, at) => {
    const mixed = Math.imul(seed ^ (offset + at), 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & 0xff;
  });
}

function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

function find(library: FakeLibrary, uri: string): FakeFile {
  assertInLibrary(library, uri);
  const file = library.files().find((one) => one.uri === uri);
  if (file) return file;
  throw new KernelError('not_found', uri);
}

function assertInLibrary(library: FakeLibrary, uri: string): void {
  const roots = library.libraries().flatMap((one) => one.roots);
  const isInside = roots.some((root) => uri === root || uri.startsWith(`${root}/`));
  if (!isInside) throw new KernelError('permission_denied', `files: ${uri}`);
}

const entryOf = ({ uri, size, modifiedAt }: FakeFile): FileEntry => ({
  uri,
  kind: 'file',
  size,
  modifiedAt,
});

/** Whether there is a file below it, or it is a root. */
export const isMadeFolder = (library: FakeLibrary, uri: string): boolean =>
  library.files().some((file) => file.uri.startsWith(`${uri}/`)) ||
  library.libraries().some(({ roots }) => roots.includes(uri));

function stat(library: FakeLibrary, uri: string): FileEntry {
  assertInLibrary(library, uri);
  return isMadeFolder(library, uri)
    ? { uri, kind: 'folder', size: 0, modifiedAt: 0 }
    : entryOf(find(library, uri));
}

function list(library: FakeLibrary, input: ListFilesInput): FileListing {
  const { uri, cursor = null, limit = usualLimit } = input;
  if (stat(library, uri).kind === 'file') throw new KernelError('unreadable', uri);
  const below = library.files().filter((file) => file.uri.startsWith(`${uri}/`));
  const all = input.recursive === true ? wanted(below, input) : childrenOf(below, uri);
  const rest = all.filter((entry) => cursor === null || entry.uri > cursor);
  const entries = rest.slice(0, limit);
  const isWhole = entries.length === rest.length;
  return { entries, cursor: isWhole ? null : (entries.at(-1)?.uri ?? null), problems: [] };
}

function wanted(files: readonly FakeFile[], input: ListFilesInput): readonly FileEntry[] {
  const { uri, extensions, ignore = [] } = input;
  const isIgnored = createIgnoredNames(ignore);
  return files
    .filter((file) => {
      const names = file.uri.slice(uri.length + 1).split('/');
      if (names.some((name) => isIgnored(name))) return false;
      return extensions === undefined || extensions.includes(extensionOf(file.uri));
    })
    .map(entryOf);
}

function childrenOf(below: readonly FakeFile[], uri: string): readonly FileEntry[] {
  const entries = new Map<string, FileEntry>();
  for (const file of below) {
    const [name = '', ...others] = file.uri.slice(uri.length + 1).split('/');
    const child = `${uri}/${name}`;
    const isFolder = others.length > 0;
    entries.set(
      child,
      isFolder ? { uri: child, kind: 'folder', size: 0, modifiedAt: 0 } : entryOf(file),
    );
  }
  return [...entries.values()];
}

/** Each range with its length before it, as `splitRanges` reads it. */
function packed(library: FakeLibrary, ranges: readonly ReadFileInput[]): Uint8Array {
  for (const { uri } of ranges) assertInLibrary(library, uri);
  const files = new Map(library.files().map((file) => [file.uri, file]));
  const parts = ranges.flatMap((range) => {
    const file = files.get(range.uri);
    const head = Buffer.alloc(4);
    const bytes = file ? bytesOf(file, range) : new Uint8Array();
    head.writeUInt32BE(file ? bytes.length : unreadable);
    return [head, bytes];
  });
  return new Uint8Array(Buffer.concat(parts));
}
