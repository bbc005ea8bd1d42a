import { isWithin, type DiskReads } from '../disk/index.ts';
import { toDiskRoots } from './disk-roots.ts';
import type { Paths } from './range-reads.ts';

/** The dependencies of the lookup. */
export interface RealUrisParts {
  /** The plugin that holds the URI; throws for a URI outside of the libraries. */
  readonly holder: (uri: string) => string;
  readonly diskPaths: (pluginId: string, uris: readonly string[]) => Promise<Paths>;
  readonly disk: Pick<DiskReads, 'resolveAll'>;
  readonly roots: () => readonly string[];
}

/**
 * Creates the lookup of files with every link followed. By URI it gives the real places as URIs, one for
 * each root above the place. A file that is not on a disk of this machine keeps its own URI. A missing
 * file, or one below no root, has no place.
 */
export function createRealUris({ holder, diskPaths, disk, roots }: RealUrisParts) {
  /** The roots on this machine with their real paths: a root may be a link itself. */
  async function realRoots(pluginId: string) {
    const local = roots().filter((uri) => toDiskRoots([uri]).length > 0);
    const found = await disk.resolveAll(pluginId, toDiskRoots(local));
    return local.flatMap((root, index) => {
      const real = found[index] ?? null;
      return real === null ? [] : [{ root, real }];
    });
  }

  async function ofPlugin(pluginId: string, uris: readonly string[]) {
    const known = await diskPaths(pluginId, uris);
    const local = uris.flatMap((uri) => {
      const path = known.get(uri) ?? null;
      return path === null ? [] : [{ uri, path }];
    });
    const places = new Map(uris.map((uri): [string, readonly string[]] => [uri, [uri]]));
    if (local.length === 0) return places;
    const below = await realRoots(pluginId);
    const found = await disk.resolveAll(
      pluginId,
      local.map(({ path }) => path),
    );
    local.forEach(({ uri }, index) => {
      const real = found[index] ?? null;
      const within = below.filter((one) => real !== null && isWithin(real, one.real));
      places.set(
        uri,
        within.map((one) => one.root + suffixOf(real ?? '', one.real)),
      );
    });
    return places;
  }

  return async (uris: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    const places = new Map<string, readonly string[]>();
    for (const [pluginId, some] of Map.groupBy(uris, holder)) {
      for (const [uri, found] of await ofPlugin(pluginId, some)) places.set(uri, found);
    }
    return places;
  };
}

/** The part of a path below its root. */
function suffixOf(real: string, root: string): string {
  if (real === root) return '';
  return root === '/' ? real : real.slice(root.length);
}
