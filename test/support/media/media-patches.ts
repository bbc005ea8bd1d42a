/** What ffmpeg does not write, written into files that it made. */
import { readFileSync } from 'node:fs';
import { keepFile } from './media-files.ts';

/** The MP4 with this box behind the others of the first track's sample entry. */
export function withBoxInEntry(file: string, entry: string, box: Buffer): string {
  const bytes = readFileSync(file);
  const path = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', entry];
  const starts: number[] = [];
  let [from, end] = [0, bytes.length];
  for (const type of path) {
    let at = from;
    while (at < end && bytes.toString('latin1', at + 4, at + 8) !== type)
      at += bytes.readUInt32BE(at);
    if (at >= end) throw new Error(`There is no ${type} in ${file}.`);
    starts.push(at);
    end = at + bytes.readUInt32BE(at);
    from = at + (type === 'stsd' ? 16 : 8);
  }
  for (const at of starts) bytes.writeUInt32BE(bytes.readUInt32BE(at) + box.length, at);
  return keepFile('mp4', Buffer.concat([bytes.subarray(0, end), box, bytes.subarray(end)]));
}

/** A box of an MP4. */
export function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8, type.padStart(8, '\0'), 'latin1');
  head.writeUInt32BE(8 + content.length, 0);
  return Buffer.concat([head, content]);
}

/** The file with each place of these bytes as others of the same length. */
export function replaced(file: string, extension: string, before: Buffer, after: Buffer): string {
  const bytes = readFileSync(file);
  let count = 0;
  for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at + 1)) {
    after.copy(bytes, at);
    count++;
  }
  if (count === 0 || before.length !== after.length)
    throw new Error(`${file} has no ${before.toString('hex')} that fits.`);
  return keepFile(extension, bytes);
}

/** A transport stream whose first part has this descriptor; as many bytes of padding go. */
export function withDescriptor(file: string, descriptor: Buffer): string {
  const bytes = readFileSync(file);
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    const table = at + 5;
    const isMap = bytes.readUInt16BE(at + 1) === 0x5000 && bytes[table] === 2;
    if (!isMap) continue;
    const grow = (place: number): void => {
      bytes.writeUInt16BE(bytes.readUInt16BE(place) + descriptor.length, place);
    };
    const part = table + 12 + (bytes.readUInt16BE(table + 10) & 0xfff);
    const insertAt = part + 5 + (bytes.readUInt16BE(part + 3) & 0xfff);
    grow(table + 1);
    grow(part + 3);
    bytes.copyWithin(insertAt + descriptor.length, insertAt, at + 188 - descriptor.length);
    descriptor.copy(bytes, insertAt);
  }
  return keepFile('ts', bytes);
}
