/**
 * Reads a ZIP file by ranges: its directory first, then the entries that are wanted (APPNOTE 6.3.10,
 * sections 4.3.7, 4.3.12 and 4.3.16). Every number in it is a claim of a stranger: a directory, an
 * entry and what comes out of it have limits.
 */
import type { RangeSource } from './ranges.ts';

/** One file of the archive. */
export interface ZipEntry {
  readonly name: string;
  readonly offset: number;
  readonly packedBytes: number;
  /** What the directory claims; only shown. */
  readonly claimedBytes: number;
  readonly method: number;
}

/** An archive whose directory was read. */
export interface Zip {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** The bytes of an entry; rejects with a {@link BrokenBook} for one that is too large or damaged. */
  readonly read: (entry: ZipEntry) => Promise<Uint8Array<ArrayBuffer>>;
}

/** A book that cannot be shown; `reason` says what is wrong with it. */
export class BrokenBook extends Error {
  readonly reason:
    | 'not-zip'
    | 'other-archive'
    | 'damaged'
    | 'too-large'
    | 'locked'
    | 'not-epub'
    | 'no-pages';

  constructor(reason: BrokenBook['reason']) {
    super(`The book is ${reason}.`);
    this.reason = reason;
  }
}

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const longestComment = 65_535;
const maxDirectoryBytes = 16_000_000;
const maxEntries = 20_000;
const maxEntryBytes = 64_000_000;
const stored = 0;
const deflated = 8;
const encryptedFlag = 1;

/** How RAR, 7z and TAR begin. */
const otherArchive = /^(?:Rar!\x1a\x07|7z¼¯'\x1c|[^]{257}ustar)/;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Opens an archive. */
export async function openZip(source: RangeSource): Promise<Zip> {
  const { start, length } = await findDirectory(source);
  if (length > maxDirectoryBytes) throw new BrokenBook('too-large');
  const entries = directoryOf(await source.read(start, start + length));
  return { entries, read: (entry) => readEntry(source, entry) };
}

async function findDirectory(
  source: RangeSource,
): Promise<{ readonly start: number; readonly length: number }> {
  if (source.size < endBytes) throw new BrokenBook('not-zip');
  const from = Math.max(0, source.size - endBytes - longestComment);
  const tail = viewOf(await source.read(from, source.size));
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== endSignature) continue;
    const [length, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    if (length === 0) throw new BrokenBook('no-pages');
    if (start + length > from + at) throw new BrokenBook('damaged');
    return { start, length };
  }
  const head = new TextDecoder('latin1').decode(await source.read(0, Math.min(512, source.size)));
  throw new BrokenBook(otherArchive.test(head) ? 'other-archive' : 'not-zip');
}

function directoryOf(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const view = viewOf(bytes);
  const text = new TextDecoder();
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + 46 <= bytes.length && entries.size < maxEntries;) {
    if (view.getUint32(at, true) !== directorySignature) break;
    const nameBytes = view.getUint16(at + 28, true);
    const name = text.decode(bytes.subarray(at + 46, at + 46 + nameBytes));
    const isLocked = (view.getUint16(at + 8, true) & encryptedFlag) !== 0;
    if (isLocked) throw new BrokenBook('locked');
    if (!name.endsWith('/'))
      entries.set(name, {
        name,
        method: view.getUint16(at + 10, true),
        packedBytes: view.getUint32(at + 20, true),
        claimedBytes: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function readEntry(source: RangeSource, entry: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  if (entry.packedBytes > maxEntryBytes) throw new BrokenBook('too-large');
  // The local header repeats the name; its extra field has a length of its own.
  const spare = 30 + 3 * entry.name.length + 1024;
  const end = Math.min(source.size, entry.offset + spare + entry.packedBytes);
  if (entry.offset + 30 > end) throw new BrokenBook('damaged');
  const bytes = await source.read(entry.offset, end);
  const view = viewOf(bytes);
  if (bytes.length < 30 || view.getUint32(0, true) !== localSignature)
    throw new BrokenBook('damaged');
  const start = 30 + view.getUint16(26, true) + view.getUint16(28, true);
  const packed =
    start + entry.packedBytes <= bytes.length
      ? bytes.subarray(start, start + entry.packedBytes)
      : await source.read(entry.offset + start, entry.offset + start + entry.packedBytes);
  if (packed.length !== entry.packedBytes) throw new BrokenBook('damaged');
  if (entry.method === stored) return packed;
  if (entry.method !== deflated) throw new BrokenBook('damaged');
  return inflate(packed);
}

/** Stops at the limit: a few bytes may claim to be gigabytes. */
async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new BrokenBook('damaged');
    });
    if (done) break;
    length += value.length;
    if (length > maxEntryBytes) {
      await reader.cancel();
      throw new BrokenBook('too-large');
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
