/**
 * Many ranges of many files in one call: one call to a plugin for all paths, and one message to the
 * disk's thread for the bytes. Files that are not on this machine are read through their plugin, a few
 * ranges at a time.
 */
import { mapBounded } from '../../../packages/lib/concurrency/index.ts';
import { splitRanges, type ReadFileInput } from '../../../plugin-api/index.ts';
import { packRanges, type Disk } from '../disk/index.ts';

export interface RangeReadsParts {
  /** The plugin that holds the URI; throws for a URI outside of the libraries. */
  readonly holder: (uri: string) => string;
  /** Where files are on this machine, by URI; `null` or absent for one that is not. */
  readonly diskPaths: (pluginId: string, uris: readonly string[]) => Promise<Paths>;
  readonly forgetPath: (uri: string) => void;
  readonly readByPlugin: (pluginId: string, range: ReadFileInput) => Promise<Uint8Array>;
  readonly disk: Pick<Disk, 'readRanges'>;
}

/** Where files are on this machine, by URI. */
export type Paths = ReadonlyMap<string, string | null>;
/** The bytes of a range; `null` when it could not be read. */
type Bytes = Uint8Array | null;

/** The most ranges that one plugin reads at the same time. */
const maxInFlight = 8;

const isWhole = (ranges: readonly Bytes[]): boolean => !ranges.includes(null);

/**
 * Creates the reading of ranges, packed as `host.fs.readRanges` answers. It rejects for a URI that
 * is misspelled, outside of the libraries or without a filesystem plugin; a file that cannot be read is
 * marked in its place.
 */
export function createRangeReads(parts: RangeReadsParts) {
  const { holder, diskPaths, forgetPath, readByPlugin, disk } = parts;

  const pathsOf = (pluginId: string, ranges: readonly ReadFileInput[]): Promise<Paths> =>
    diskPaths(
      pluginId,
      ranges.map(({ uri }) => uri),
    );

  function readOnDisk(pluginId: string, ranges: readonly ReadFileInput[], paths: Paths) {
    const read = ranges.map(({ uri, offset, length }) => {
      return { path: paths.get(uri) ?? '', offset, length };
    });
    return disk.readRanges(pluginId, read);
  }

  /** Retries failed ranges once, at the paths that the plugin gives now. */
  async function readMoved(
    pluginId: string,
    ranges: readonly ReadFileInput[],
    before: Paths,
  ): Promise<readonly Bytes[]> {
    for (const { uri } of ranges) forgetPath(uri);
    const now = await pathsOf(pluginId, ranges);
    const hasMoved = ranges.some(({ uri }) => now.get(uri) !== before.get(uri));
    if (!hasMoved) return ranges.map(() => null);
    return splitRanges(await readOnDisk(pluginId, ranges, now));
  }

  async function readLocal(pluginId: string, ranges: readonly ReadFileInput[], paths: Paths) {
    if (ranges.length === 0) return packRanges([]);
    const answer = await readOnDisk(pluginId, ranges, paths);
    const read = splitRanges(answer);
    if (isWhole(read)) return answer;
    const failed = ranges.filter((_range, index) => read[index] === null);
    const again = (await readMoved(pluginId, failed, paths)).values();
    return packRanges(read.map((bytes) => bytes ?? again.next().value ?? null));
  }

  async function readOfPlugin(
    pluginId: string,
    ranges: readonly ReadFileInput[],
  ): Promise<Uint8Array> {
    const paths = await pathsOf(pluginId, ranges);
    const isLocal = ({ uri }: ReadFileInput): boolean => typeof paths.get(uri) === 'string';
    const local = await readLocal(pluginId, ranges.filter(isLocal), paths);
    if (ranges.every(isLocal)) return local;
    const remote = ranges.filter((range) => !isLocal(range));
    const readRemote = (range: ReadFileInput): Promise<Bytes> =>
      readByPlugin(pluginId, range).catch(() => null);
    const remoteBytes = (await mapBounded(remote, maxInFlight, readRemote)).values();
    const localBytes = splitRanges(local).values();
    return packRanges(
      ranges.map((range) => (isLocal(range) ? localBytes : remoteBytes).next().value ?? null),
    );
  }

  return async (ranges: readonly ReadFileInput[]): Promise<Uint8Array> => {
    const byPlugin = Map.groupBy(ranges, ({ uri }) => holder(uri));
    const [first] = byPlugin.keys();
    if (first === undefined) return packRanges([]);
    if (byPlugin.size === 1) return readOfPlugin(first, ranges);
    const bytes = new Map<ReadFileInput, Bytes>();
    for (const [pluginId, some] of byPlugin) {
      const read = splitRanges(await readOfPlugin(pluginId, some));
      some.forEach((range, index) => void bytes.set(range, read[index] ?? null));
    }
    return packRanges(ranges.map((range) => bytes.get(range) ?? null));
  };
}
