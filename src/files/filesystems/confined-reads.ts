/**
 * Reads that are confined to some roots, with every link followed. The disk confines reads of bytes.
 * Listings come from the plugin that serves the folder, and it may follow links out of the roots: so
 * each entry is checked against the roots before it is returned. For a viewer who sees only a part of
 * what is below the roots, the target of each link is checked against what the viewer sees.
 */
import { KernelError } from '../../../kernel/index.ts';
import { AppError } from '../../platform/errors.ts';
import { splitRanges, type FileListing, type ReadFileInput } from '../../../plugin-api/index.ts';
import { packRanges } from '../disk/index.ts';
import type { FileReads } from './file-reads.ts';

/** Reads below the roots. Only `list` and `stat` can still follow a link out of them. */
type RootedReads = FileReads & {
  readonly localPath: (uri: string) => Promise<string | null>;
};

/** The URIs among these where a link leads to a place that may not be read. */
export type UnseenAmong = (uris: readonly string[]) => Promise<ReadonlySet<string>>;

/** The error for what lies outside. */
type Beyond = (cause: unknown) => Error;

/** Creates the reads. A link out of the roots gives the error `beyond`, and listings omit it. */
export function createConfinedReads(
  files: RootedReads,
  beyond: Beyond,
  unseenAmong: UnseenAmong = async () => new Set(),
): FileReads {
  async function assertSeen(uri: string): Promise<void> {
    if ((await unseenAmong([uri])).has(uri)) throw beyond(undefined);
  }

  async function assertWithin(uri: string): Promise<void> {
    await files.localPath(uri);
    await assertSeen(uri);
  }

  async function withoutStrays(listing: FileListing): Promise<FileListing> {
    const { entries } = listing;
    if (entries.length === 0) return listing;
    const uris = entries.map(({ uri }) => uri);
    const places = await files.localPaths(uris);
    const unseen = await unseenAmong(uris);
    const kept = entries.filter(
      ({ uri }) => places.get(uri)?.kind !== 'nowhere' && !unseen.has(uri),
    );
    return kept.length === entries.length ? listing : { ...listing, entries: kept };
  }

  async function readRanges(ranges: readonly ReadFileInput[]): Promise<Uint8Array> {
    const unseen = await unseenAmong([...new Set(ranges.map(({ uri }) => uri))]);
    if (unseen.size === 0) return files.readRanges(ranges);
    const seen = ranges.filter(({ uri }) => !unseen.has(uri));
    const read = splitRanges(await files.readRanges(seen)).values();
    return packRanges(
      ranges.map(({ uri }) => (unseen.has(uri) ? null : (read.next().value ?? null))),
    );
  }

  /** A caller must not learn what lies outside, not even that it exists. */
  async function denying<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw isOutside(error) ? beyond(error) : error;
    }
  }

  return {
    readRanges,
    localPaths: async (uris) => {
      const places = await files.localPaths(uris);
      const unseen = await unseenAmong(uris);
      if (unseen.size === 0) return places;
      return new Map(
        [...places].map(([uri, place]) => [uri, unseen.has(uri) ? { kind: 'nowhere' } : place]),
      );
    },
    read: (input) =>
      denying(async () => {
        await assertSeen(input.uri);
        return files.read(input);
      }),
    open: (uri) =>
      denying(async () => {
        await assertSeen(uri);
        return files.open(uri);
      }),
    stat: (uri) =>
      denying(async () => {
        await assertWithin(uri);
        return files.stat(uri);
      }),
    list: (input) =>
      denying(async () => {
        await assertWithin(input.uri);
        if (input.ignoreFilesFrom !== undefined) await assertWithin(input.ignoreFilesFrom);
        return withoutStrays(await files.list(input));
      }),
  };
}

/** For a plugin. */
export const notGranted: Beyond = (cause) =>
  new KernelError('permission_denied', 'files outside of the libraries', { cause });

/** For a person. */
export const outsideLibrary: Beyond = (cause) => new AppError('outside_root', {}, { cause });

/** `permission_denied` is for a URI that lies below no root by its name. */
const isOutside = (error: unknown): boolean =>
  error instanceof KernelError &&
  (error.code === 'outside_root' || error.code === 'permission_denied');
