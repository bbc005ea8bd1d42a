/** What the disk roots are made of. */
export interface DiskRootsParts {
  /** URIs of all roots of libraries. */
  readonly roots: () => readonly string[];
  /** The running plugin that serves a scheme. */
  readonly filesystemFor: (scheme: string) => string | undefined;
}

const prefix = 'file://';

/**
 * The part of the disk that a plugin may see, as paths of `host.disk`: the roots of the libraries
 * on this machine, for the plugin that serves them, and nothing for any other.
 */
export const createDiskRoots =
  ({ roots, filesystemFor }: DiskRootsParts) =>
  (pluginId: string): readonly string[] => {
    if (filesystemFor('file') !== pluginId) return [];
    return roots()
      .filter((uri) => uri.startsWith(prefix))
      .map((uri) => uri.slice(prefix.length) || '/');
  };
