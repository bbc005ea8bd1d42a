/**
 * ZIP: the list of entries at the end, and single entries unpacked up to a length. The size that an
 * entry states is not trusted: unpacking stops at the limit.
 */
import { u16le, u32le, u64le } from '../../media-headers/bytes/numbers.ts';
import { inflate } from '../../media-headers/bytes/inflate.ts';
import { malformed, ProbeError, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii, utf8OrLatin1 } from '../../media-headers/bytes/text.ts';
import { readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';

export interface ZipEntry {
  readonly name: string;
  /** The stated sizes; packed and unpacked bytes. */
  readonly packed: number;
  readonly size: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** The offset of its own header. */
  readonly at: number;
}

const endBytes = 22;
const longestComment = 0xffff;
const listBytes = 768 * 1024;
const mostEntries = 10_000;

export async function readZipEntries(source: ByteSource): Promise<readonly ZipEntry[]> {
  const { at, length } = await findList(source);
  if (at + length > source.size) throw truncated('The archive ends before its list of entries.');
  if (length > listBytes) {
    throw new ProbeError('over-budget', `The archive's list of entries is ${length} bytes long.`);
  }
  const list = await source.read(at, length);
  const entries: ZipEntry[] = [];
  for (let place = 0; place + 46 <= list.length && entries.length < mostEntries;) {
    if (u32le(list, place) !== 0x02014b50) throw malformed('The list of the archive is damaged.');
    const [nameLength, extraLength] = [u16le(list, place + 28), u16le(list, place + 30)];
    const from = place + 46;
    const extra = list.subarray(from + nameLength, from + nameLength + extraLength);
    const large = largeNumbers(extra);
    const take = (value: number) => (value === 0xffffffff ? (large.shift() ?? value) : value);
    const size = take(u32le(list, place + 24));
    const packed = take(u32le(list, place + 20));
    entries.push({
      name: utf8OrLatin1(list.subarray(from, from + nameLength)),
      size,
      packed,
      at: take(u32le(list, place + 42)),
      method: u16le(list, place + 10),
      isEncrypted: (u16le(list, place + 8) & 1) !== 0,
    });
    place = from + nameLength + extraLength + u16le(list, place + 32);
  }
  return entries;
}

/** The bytes of an entry. More than `atMost` is refused. */
export async function readZipEntry(
  source: ByteSource,
  entry: ZipEntry,
  atMost: number,
): Promise<Uint8Array> {
  if (entry.isEncrypted) throw new ProbeError('unreadable', 'The archive is encrypted.');
  if (entry.size > atMost || entry.packed > atMost) {
    throw new ProbeError('over-budget', `A part of the archive is larger than ${atMost} bytes.`);
  }
  const head = await source.read(entry.at, 30);
  if (u32le(head, 0) !== 0x04034b50)
    throw malformed('The archive has no entry at the stated place.');
  const from = entry.at + 30 + u16le(head, 26) + u16le(head, 28);
  const packed = await source.read(from, entry.packed);
  if (entry.method === 0) return packed;
  if (entry.method === 8) return inflate(packed, atMost);
  throw new ProbeError('unreadable', `The archive is packed by method ${entry.method}.`);
}

async function findList(
  source: ByteSource,
): Promise<{ readonly at: number; readonly length: number }> {
  for (const length of [1024, endBytes + longestComment]) {
    const from = Math.max(0, source.size - length);
    const tail = await readUpTo(source, from, length);
    for (let at = tail.length - endBytes; at >= 0; at--) {
      if (tail[at] !== 0x50 || u32le(tail, at) !== 0x06054b50) continue;
      const found = { length: u32le(tail, at + 12), at: u32le(tail, at + 16) };
      return found.at === 0xffffffff ? findLargeList(source, from + at) : found;
    }
    if (from === 0) break;
  }
  throw truncated('The archive has no end; it was cut off.');
}

/** ZIP64 has the offset of another end record before the end. */
async function findLargeList(source: ByteSource, end: number) {
  const locator = await source.read(end - 20, 20);
  if (u32le(locator, 0) !== 0x07064b50) throw malformed('The end of the archive is damaged.');
  const record = await source.read(u64le(locator, 8), 56);
  if (u32le(record, 0) !== 0x06064b50) throw malformed('The end of the archive is damaged.');
  return { length: u64le(record, 40), at: u64le(record, 48) };
}

function largeNumbers(extra: Uint8Array): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + u16le(extra, at + 2)) {
    if (u16le(extra, at) !== 1) continue;
    const numbers: number[] = [];
    const end = Math.min(extra.length, at + 4 + u16le(extra, at + 2));
    for (let place = at + 4; place + 8 <= end; place += 8) numbers.push(u64le(extra, place));
    return numbers;
  }
  return [];
}

/** Whether a file begins with an entry, or is an empty archive. */
export function beginsAsZip(head: Uint8Array): boolean {
  return ascii(head, 0, 4) === 'PK\x03\x04' || ascii(head, 0, 4) === 'PK\x05\x06';
}
