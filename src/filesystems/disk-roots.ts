/** What the disk roots are made of. */
export interface DiskRootsParts {
  /** URIs of all roots of libraries. */
  readonly roots: () => readonly string[];
  /** The running plugin that serves a scheme. */
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** Of these roots what the plugin was granted: they themselves, or folders below. */
  readonly rootsWithin: (pluginId: string, roots: readonly string[]) => readonly string[];
}

const prefix = 'file://';

/** Those of the roots that are on this machine, as paths of `host.disk`. */
export const toDiskRoots = (roots: readonly string[]): readonly string[] =>
  roots.filter((uri) => uri.startsWith(prefix)).map((uri) => uri.slice(prefix.length) || '/');

/**
 * The part of the disk that a plugin may see, as paths of `host.disk`: the roots of the libraries
 * on this machine that it was granted, for the plugin that serves them, and nothing for any other.
 */
export const createDiskRoots =
  ({ roots, filesystemFor, rootsWithin }: DiskRootsParts) =>
  (pluginId: string): readonly string[] => {
    if (filesystemFor('file') !== pluginId) return [];
    return toDiskRoots(rootsWithin(pluginId, roots()));
  };
