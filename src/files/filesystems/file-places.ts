import { parsePath, toPlainPath, type Disk } from '../disk/index.ts';
import type { Paths } from './range-reads.ts';

/** Where a file is: on this machine with links followed, behind its plugin alone, or nowhere. */
export type FilePlace =
  | { readonly kind: 'here'; readonly path: string }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'nowhere' };

/** The dependencies of the lookup. */
export interface FilePlacesParts {
  /** The plugin that holds the URI; throws for a URI outside of the libraries. */
  readonly holder: (uri: string) => string;
  readonly diskPaths: (pluginId: string, uris: readonly string[]) => Promise<Paths>;
  readonly forgetPath: (uri: string) => void;
  readonly disk: Pick<Disk, 'resolveAll'>;
}

/** Creates the lookup of places by URI. A file whose name is not valid text has no path here. */
export function createFilePlaces({ holder, diskPaths, forgetPath, disk }: FilePlacesParts) {
  async function ofPlugin(pluginId: string, uris: readonly string[]) {
    const known = await diskPaths(pluginId, uris);
    const local = uris.flatMap((uri) => {
      const path = known.get(uri) ?? null;
      return path === null ? [] : [{ uri, path }];
    });
    const found = await disk.resolveAll(
      pluginId,
      local.map(({ path }) => path),
    );
    const places = new Map(uris.map((uri): [string, FilePlace] => [uri, { kind: 'elsewhere' }]));
    local.forEach(({ uri }, index) => {
      const real = found[index] ?? null;
      if (real === null) forgetPath(uri);
      places.set(uri, placeOf(real));
    });
    return places;
  }

  return async (uris: readonly string[]): Promise<ReadonlyMap<string, FilePlace>> => {
    const places = new Map<string, FilePlace>();
    for (const [pluginId, some] of Map.groupBy(uris, holder)) {
      for (const [uri, place] of await ofPlugin(pluginId, some)) places.set(uri, place);
    }
    return places;
  };
}

function placeOf(real: string | null): FilePlace {
  if (real === null) return { kind: 'nowhere' };
  const path = toPlainPath(parsePath(real));
  return path === null ? { kind: 'elsewhere' } : { kind: 'here', path };
}
