import type { Filesystems } from './filesystems.ts';

/** The state of the root of a library. */
export interface RootInspection {
  /** It has only hidden names and the entries that a file system has on an empty volume. */
  readonly isEmpty: boolean;
  /** The id of its volume; null = the filesystem does not know. */
  readonly volume: string | null;
  /** URIs of folders below it that are on other volumes. */
  readonly mounts: readonly string[];
}

const inspectedEntries = 100;
const mostMounts = 100;

/** Creates the inspection of a root; it rejects when the root cannot be listed. */
export function createInspectRoot(
  filesystems: Pick<Filesystems, 'list' | 'stat'>,
): (uri: string) => Promise<RootInspection> {
  return async (uri) => {
    const [{ entries }, { volume, mounts = [] }] = await Promise.all([
      filesystems.list({ uri, limit: inspectedEntries }),
      filesystems.stat(uri),
    ]);
    return {
      isEmpty: entries.every((entry) => isHousekeeping(entry.uri.slice(uri.length + 1))),
      volume: typeof volume === 'string' ? volume : null,
      mounts: listOf(mounts).filter((mount) => mount.startsWith(`${uri}/`)),
    };
  };
}

/** A field of a plugin's answer, of which only the head was validated. */
function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, mostMounts) : [];
  return list.filter((one) => typeof one === 'string');
}

const isHousekeeping = (name: string): boolean => name.startsWith('.') || name === 'lost%2Bfound';
