/** Fingerprints of files: by the disk's thread for local files, else through the plugin. */
import { mapBounded } from '../../../packages/lib/concurrency/index.ts';
import type { FileEntry, ReadFileInput } from '../../../plugin-api/index.ts';
import { fingerprintOf, samplesOf, type Disk } from '../disk/index.ts';
import type { Paths } from './range-reads.ts';

export interface FingerprintsParts {
  /** The plugin that holds the URI; throws for a URI outside of the libraries. */
  readonly holder: (uri: string) => string;
  readonly diskPaths: (pluginId: string, uris: readonly string[]) => Promise<Paths>;
  readonly stat: (uri: string) => Promise<FileEntry>;
  readonly readByPlugin: (pluginId: string, range: ReadFileInput) => Promise<Uint8Array>;
  readonly disk: Pick<Disk, 'fingerprints'>;
}

/** The most files in one message to the disk's thread. */
const batchSize = 64;
/** The most files that plugins read at the same time. */
const maxInFlight = 4;

/** Creates the function; it gives `null` in place of a file that cannot be read. */
export function createFingerprints(parts: FingerprintsParts) {
  const { holder, diskPaths, stat, readByPlugin, disk } = parts;

  async function ofRemote(pluginId: string, uri: string): Promise<string | null> {
    try {
      const { kind, size } = await stat(uri);
      if (kind !== 'file') return null;
      const samples: Uint8Array[] = [];
      for (const { offset, length } of samplesOf(size)) {
        const bytes = await readByPlugin(pluginId, { uri, offset, length });
        if (bytes.length < length) return null;
        samples.push(bytes);
      }
      return fingerprintOf(size, samples);
    } catch {
      return null;
    }
  }

  async function ofPlugin(pluginId: string, uris: readonly string[]) {
    const found = new Map<string, string | null>();
    const paths = await diskPaths(pluginId, uris);
    const local = uris.flatMap((uri) => {
      const path = paths.get(uri) ?? null;
      return path === null ? [] : [{ uri, path }];
    });
    const here = await disk.fingerprints(
      pluginId,
      local.map(({ path }) => path),
    );
    local.forEach(({ uri }, index) => found.set(uri, here[index] ?? null));
    const remote = uris.filter((uri) => !found.has(uri));
    const there = await mapBounded(remote, maxInFlight, (uri) => ofRemote(pluginId, uri));
    remote.forEach((uri, index) => found.set(uri, there[index] ?? null));
    return found;
  }

  return async (uris: readonly string[]): Promise<readonly (string | null)[]> => {
    const found = new Map<string, string | null>();
    for (const [pluginId, some] of Map.groupBy(uris, holder)) {
      for (let from = 0; from < some.length; from += batchSize) {
        const made = await ofPlugin(pluginId, some.slice(from, from + batchSize));
        for (const [uri, fingerprint] of made) found.set(uri, fingerprint);
      }
    }
    return uris.map((uri) => found.get(uri) ?? null);
  };
}
