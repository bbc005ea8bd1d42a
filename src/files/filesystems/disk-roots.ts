export interface DiskRootsParts {
  /** URIs of all roots of libraries. */
  readonly roots: () => readonly string[];
  /** The running plugin that serves a scheme. */
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** The parts of these roots that the plugin was granted: whole roots, or folders below them. */
  readonly rootsWithin: (pluginId: string, roots: readonly string[]) => readonly string[];
}

const prefix = 'file://';

/** Those of the roots that are on this machine, as paths of `host.disk`. */
export const toDiskRoots = (roots: readonly string[]): readonly string[] =>
  roots.filter((uri) => uri.startsWith(prefix)).map((uri) => uri.slice(prefix.length) || '/');

/**
 * The part of the disk that a plugin may see, as paths of `host.disk`. For the plugin that serves
 * `file:` these are the granted library roots on this machine; every other plugin gets none.
 */
export const createDiskRoots =
  ({ roots, filesystemFor, rootsWithin }: DiskRootsParts) =>
  (pluginId: string): readonly string[] => {
    if (filesystemFor('file') !== pluginId) return [];
    return toDiskRoots(rootsWithin(pluginId, roots()));
  };
