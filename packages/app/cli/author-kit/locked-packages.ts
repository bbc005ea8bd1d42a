/** The packages of others that a new plugin installs, in the versions that this project is tested with. */

/** An entry of `packages` in a `package-lock.json` (npm, lock file version 3). */
export interface LockEntry {
  readonly [key: string]: unknown;
  readonly version?: string;
  /** Of an alias: what it is an alias of. */
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Entries by their place, such as `node_modules/vite`. */
export type LockedPackages = Readonly<Record<string, LockEntry>>;

const inside = 'node_modules/';

/**
 * The entries of these packages and of all that they need. They name no registry: npm asks the one that it
 * is set to, or its cache. A name that is not known is left out.
 */
export function lockedPackages(names: readonly string[], known: LockedPackages): LockedPackages {
  const found = new Map<string, LockEntry>();
  const open = names.map((name) => placeOf(name, '', known));
  for (const place of open) {
    const entry = place === null ? undefined : known[place];
    if (place === null || entry === undefined || found.has(place)) continue;
    found.set(place, entry);
    open.push(...neededBy(entry).map((name) => placeOf(name, place, known)));
  }
  return Object.fromEntries(
    [...found]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([place, { resolved: _, ...entry }]) => [place, { ...entry, dev: true }]),
  );
}

/** Peers that npm does not install by itself are left out. */
function neededBy(entry: LockEntry): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies = {} } = entry;
  const peers = Object.keys(peerDependencies).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node finds a package from the folder of another: in it, or in one above. */
function placeOf(name: string, from: string, known: LockedPackages): string | null {
  for (let at = from; ;) {
    const place = `${at === '' ? '' : `${at}/`}${inside}${name}`;
    if (known[place] !== undefined) return place;
    if (at === '') return null;
    at = at.slice(0, Math.max(0, at.lastIndexOf(inside) - 1));
  }
}
