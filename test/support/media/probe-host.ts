import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  FileEntry,
  FileListing,
  Host,
  ListFilesInput,
  ProbeFile,
  ReadRangesInput,
} from '../../../plugin-api/index.ts';

/** `host.fs.readRanges` over files that are there, and what it was asked. */
export interface RangeHost {
  readonly host: Host;
  readonly readRanges: (input: ReadRangesInput) => Promise<Uint8Array>;
  /** Calls, and bytes that they gave. */
  readonly asked: { calls: number; bytes: number; readonly ranges: string[] };
}

export function createRangeHost(): RangeHost {
  const asked = { calls: 0, bytes: 0, ranges: [] as string[] };
  const readRanges = async ({ ranges }: ReadRangesInput): Promise<Uint8Array> => {
    asked.calls++;
    const parts = ranges.flatMap(({ uri, offset, length }) => {
      asked.ranges.push(`${path.basename(uri)} ${offset}+${length}`);
      const bytes = readRange(fileURLToPath(uri), offset, length);
      asked.bytes += bytes?.length ?? 0;
      const head = Buffer.alloc(4);
      head.writeUInt32BE(bytes?.length ?? 0xffffffff);
      return [head, bytes ?? Buffer.alloc(0)];
    });
    const all = Buffer.concat(parts);
    return new Uint8Array(all.buffer, all.byteOffset, all.length);
  };
  return { host: { fs: { readRanges, list } } as unknown as Host, readRanges, asked };
}

/** A folder, as the filesystem plugin lists it. */
async function list({ uri }: ListFilesInput): Promise<FileListing> {
  const folder = fileURLToPath(uri);
  const entries = readdirSync(folder, { withFileTypes: true })
    .map((entry): FileEntry => {
      const { size, mtimeMs } = statSync(path.join(folder, entry.name));
      const kind = entry.isDirectory() ? 'folder' : 'file';
      return { uri: `${uri}/${encodeURIComponent(entry.name)}`, kind, size, modifiedAt: mtimeMs };
    })
    .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  return { entries, cursor: null, problems: [] };
}

function readRange(file: string, offset: number, length: number): Buffer | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(
        Math.min(length, Math.max(0, fstatSync(descriptor).size - offset)),
      );
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** A file as a probe is asked about it. */
export function probeFileOf(file: string, size: number): ProbeFile {
  const extension = path.extname(file).slice(1).toLowerCase();
  return { uri: pathToFileURL(file).href, size, extension };
}
