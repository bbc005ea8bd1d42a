/** `probe.probe`: the files of a question side by side, so that they share their reads. */
import {
  createReaders,
  readerBlockBytes,
  type FileReader,
  type Handler,
  type ProbeFile,
  type ProbeInput,
  type ProbeOutcome,
  type ProbeResult,
} from '../../plugin-api/index.ts';
import { failureOf, malformed, truncated } from './bytes/probe-error.ts';
import { formatOf, type Format } from './formats.ts';
import type { FoundMedia, MediaSource } from './media.ts';
import { toReport } from './report.ts';

/** What one file may cost. */
export const limits = {
  /** Enough for any file whose headers stand in front. */
  bytes: 1024 * 1024,
  /** A larger file may cost this share of itself. */
  share: 0.02,
  mostBytes: 8 * 1024 * 1024,
  milliseconds: 8000,
  reads: 20_000,
} as const;

/** Files that are taken apart at the same time: what they hold in memory is held so many times. */
const atOnce = 8;

export const probeFiles: Handler<ProbeInput, ProbeResult> = async ({ files }, host) => {
  const readers = createReaders({ fs: host.fs });
  const opened = files.map((file) => {
    const bytes = Math.min(limits.mostBytes, Math.max(limits.bytes, file.size * limits.share));
    return { file, reader: readers.open(file, { ...limits, bytes }) };
  });
  // The heads of all come in one crossing; of a small file there is nothing else to read.
  await Promise.allSettled(opened.map(({ file, reader }) => readHead(file, reader)));
  const results: ProbeOutcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < opened.length; at = next++) {
      const one = opened[at];
      if (one !== undefined) results[at] = await probeFile(one.file, one.reader);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { results };
};

async function readHead(file: ProbeFile, reader: FileReader): Promise<Uint8Array> {
  if (file.size === 0) throw truncated('The file is empty.');
  return reader.read(0, Math.min(file.size, readerBlockBytes));
}

async function probeFile(file: ProbeFile, reader: FileReader): Promise<ProbeOutcome> {
  try {
    const found = await readFile(file, reader);
    if (found === undefined) return { kind: 'unsupported' };
    return { kind: 'read', report: toReport(found, file.size) };
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
}

/** What is in a file; `undefined` when no reader here is for it. */
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
    throw malformed('There is nothing in the file that can be played.');
  }
  return found;
}

/** A file that begins like nothing of its kind is not looked through for something that fits. */
function refuseStranger(format: Format, head: Uint8Array, file: ProbeFile): void {
  if (format.begins === undefined || format.begins(head)) return;
  throw malformed(
    `The file is named .${file.extension} and does not begin as ${format.name} does.`,
  );
}
