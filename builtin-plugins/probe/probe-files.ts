/** `probe.probe`: the files of a call in parallel, so that they share host calls. */
import {
  createReaders,
  readerBlockBytes,
  type FileReader,
  type Handler,
  type ProbeFile,
  type ProbeInput,
  type ProbeOutcome,
  type ProbeResult,
  type Readers,
} from '../../plugin-api/index.ts';
import { ascii } from '../media-headers/bytes/text.ts';
import { failureOf, malformed, truncated } from '../media-headers/bytes/probe-error.ts';
import type { DiscFile } from './discs/disc.ts';
import { createDiscs, type AddDisc } from './discs/read-disc.ts';
import { formatOf, type Format } from './formats.ts';
import type { FoundMedia, MediaSource } from './media.ts';
import { toReport } from './report.ts';

/** What one file may cost. */
export const limits = {
  /** Enough for any file with its headers in front. */
  bytes: 1024 * 1024,
  /** A larger file may cost this share of itself. */
  share: 0.02,
  mostBytes: 8 * 1024 * 1024,
  milliseconds: 8000,
  reads: 20_000,
} as const;

/** Files that are parsed at the same time; each needs its own memory. */
const atOnce = 8;

export const probeFiles: Handler<ProbeInput, ProbeResult> = async (
  { files, libraryType },
  host,
) => {
  const readers = createReaders({ fs: host.fs });
  const addDisc = createDiscs(
    { fs: host.fs, readers, lengthOf: (file) => lengthOf(file, readers) },
    { isFilm: libraryType === 'movies' },
  );
  const opened = files.map((file) => {
    const bytes = Math.min(limits.mostBytes, Math.max(limits.bytes, file.size * limits.share));
    return { file, reader: readers.open(file, { ...limits, bytes }) };
  });
  // The heads of all files come in one host call; a small file needs no further read.
  await Promise.allSettled(opened.map(({ file, reader }) => readHead(file, reader)));
  const results: ProbeOutcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < opened.length; at = next++) {
      const one = opened[at];
      if (one !== undefined) results[at] = await probeFile(one.file, one.reader, addDisc);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { results };
};

async function readHead(file: ProbeFile, reader: FileReader): Promise<Uint8Array> {
  if (file.size === 0) throw truncated('The file is empty.');
  return reader.read(0, Math.min(file.size, readerBlockBytes));
}

async function probeFile(
  file: ProbeFile,
  reader: FileReader,
  addDisc: AddDisc,
): Promise<ProbeOutcome> {
  try {
    const found = await readFile(file, reader);
    if (found === undefined) return { kind: 'unsupported' };
    return { kind: 'read', report: toReport(await addDisc(file, found, reader), file.size) };
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
}

/** Seconds of another file of the same disc; 0 when they are not known. */
async function lengthOf({ uri, name, size }: DiscFile, readers: Readers): Promise<number> {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  try {
    const found = await readFile({ uri, size, extension }, readers.open({ uri, size }, limits));
    return found?.duration ?? 0;
  } catch {
    return 0;
  }
}

/** The content of a file; `undefined` when no reader here supports it. */
export async function readFile(
  file: ProbeFile,
  reader: FileReader,
): Promise<FoundMedia | undefined> {
  const head = await readHead(file, reader);
  const format = formatOf(head, file.extension);
  if (format === undefined) return undefined;
  refuseStranger(format, head, file);
  const source: MediaSource = {
    size: file.size,
    extension: file.extension,
    read: reader.read,
    readPieces: reader.readPieces,
  };
  const found = await format.read(source);
  if (format.family === 'media' && found.streams.length === 0) {
    throw malformed('There is nothing to play in the file.');
  }
  return found;
}

/** A file whose beginning fits no format of its kind is not searched for one. */
function refuseStranger(format: Format, head: Uint8Array, file: ProbeFile): void {
  if (format.begins === undefined || format.begins(head)) return;
  if (format.mayFollowId3 === true && ascii(head, 0, 3) === 'ID3') return;
  throw malformed(
    `The file is named .${file.extension} and does not begin as ${format.name} does.`,
  );
}
