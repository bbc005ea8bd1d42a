/** What is said of discs: of all files of one, and of one file. */
import type { FileReader, Host, MediaDisc, Readers } from '../../../plugin-api/index.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { failureOf } from '../../media-headers/bytes/probe-error.ts';
import type { FoundChapter, FoundMedia, StreamDraft } from '../media.ts';
import type { StreamFacts } from './ifo.ts';

/** A file in a folder of a disc. */
export interface DiscFile {
  readonly uri: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** What a disc says of one of its files. */
export interface DiscFacts {
  readonly disc: MediaDisc;
  /** By the id of the packets of a stream. */
  readonly streams: StreamFacts;
  readonly chapters: readonly FoundChapter[];
  readonly warnings: readonly string[];
}

/** Reads the file beside others of its disc; `undefined` when the disc does not know it. */
export type ReadDisc = (
  file: DiscFile,
  found: FoundMedia,
  reader: FileReader,
) => Promise<DiscFacts | undefined>;

/** How discs read their own files. */
export interface DiscParts {
  readonly fs: Host['fs'];
  readonly readers: Readers;
  /** Seconds of a media file; 0 = not known. */
  readonly lengthOf: (file: DiscFile) => Promise<number>;
}

const mostFiles = 2000;
/** What one file of a disc may cost. */
const budget = { bytes: 1024 * 1024, milliseconds: 4000, reads: 5000 };
/** Files whose length is measured when the disc does not tell it. */
const mostMeasured = 16;

/** The files and folders in a folder. */
export async function listFolder(fs: Host['fs'], uri: string): Promise<readonly DiscFile[]> {
  const { entries } = await fs.list({ uri, limit: mostFiles });
  return entries.map((entry) => ({
    uri: entry.uri,
    name: decodedName(entry.uri).toUpperCase(),
    size: entry.size,
  }));
}

/** The last name of a URI; names that are not UTF-8 stay encoded. */
export function decodedName(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const folderOf = (uri: string): string => uri.slice(0, Math.max(0, uri.lastIndexOf('/')));

/** A small file of a disc, as its parser reads it. */
export const openSmall = ({ readers }: DiscParts, file: DiscFile): ByteSource =>
  readers.open(file, budget);

/** All bytes of a small file of a disc. */
export async function readWhole(parts: DiscParts, file: DiscFile): Promise<Uint8Array> {
  return openSmall(parts, file).read(0, file.size);
}

/** Why a file of a disc could not be used, in words. */
export const whyNot = (name: string, error: unknown): string => {
  const { code, message } = failureOf(error);
  return `${name} cannot be read (${code}): ${message}`;
};

/** Seconds of these groups of files, by measuring; the largest groups first, as far as it may cost. */
export async function measured<Group extends { readonly files: readonly DiscFile[] }>(
  groups: readonly Group[],
  { lengthOf }: DiscParts,
): Promise<ReadonlyMap<Group, number>> {
  const seconds = new Map<Group, number>();
  const bySize = groups.toSorted((one, other) => sizeOf(other.files) - sizeOf(one.files));
  let left = mostMeasured;
  for (const group of bySize) {
    left -= group.files.length;
    if (left < 0 && seconds.size > 0) break;
    const lengths = await Promise.all(group.files.slice(0, mostMeasured).map(lengthOf));
    seconds.set(
      group,
      lengths.reduce((sum, length) => sum + length, 0),
    );
  }
  return seconds;
}

export const sizeOf = (files: readonly DiscFile[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** The media with what its disc says: names of streams, chapters, and its place. */
export function withDisc(found: FoundMedia, facts: DiscFacts, isFilm: boolean): FoundMedia {
  const { packets = [], streams } = found;
  const known = new Set(packets);
  // Subtitles come late in a film, so its beginning does not show them.
  const later = [...facts.streams].filter(
    ([id, { kind }]) => kind === 'subtitle' && !known.has(id),
  );
  return {
    ...found,
    streams: [
      ...streams.map((stream, at) => withFacts(stream, facts.streams.get(packets[at] ?? -1))),
      ...later.map(([, stream]) => stream),
    ],
    chapters: facts.chapters.length > 0 ? facts.chapters : found.chapters,
    disc: isFilm ? facts.disc : undefined,
    warnings: [...(found.warnings ?? []), ...facts.warnings],
  };
}

/** A stream with what its packets do not say themselves. */
const withFacts = (stream: StreamDraft, facts: StreamDraft = stream): StreamDraft => ({
  ...stream,
  ...facts,
  kind: stream.kind,
  codec: stream.codec,
  language: stream.language ?? facts.language,
});
