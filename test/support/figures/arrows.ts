/** Which packages of a floor that lies below the server also stand on the server. */
import path from 'node:path';

interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * One for each package and room of the server that it imports. A floor of packages (`packages`, or a folder
 * of packages in it) that the server does not import may stand on it.
 */
export function arrowsBack(code: ReadonlyMap<string, string>): readonly string[] {
  const packages = new Set([...code.keys()].map(packageOf).filter((name) => name !== undefined));
  const imports = [...code].flatMap(([file, text]) => importsOf(file, text));
  const below = new Set(
    imports
      .filter(({ from }) => /^(?:kernel|src)\//.test(from))
      .flatMap(({ to }) => floorOf(packageOf(to)) ?? []),
  );
  const arrows = imports.flatMap(({ from, to }) => {
    const [name, room] = [packageOf(from), roomOf(to)];
    const isBack = name !== undefined && room !== undefined && below.has(floorOf(name) ?? '');
    return isBack && packages.has(name) ? [`${name} -> ${room}`] : [];
  });
  return [...new Set(arrows)].sort();
}

const importsOf = (file: string, text: string): readonly Import[] =>
  [...text.matchAll(/\bfrom '(\.{1,2}\/[^']+)'|\bimport\('(\.{1,2}\/[^']+)'\)/g)].map(
    ([, first, second]) => ({
      from: file,
      to: path.posix.join(path.posix.dirname(file), first ?? second ?? ''),
    }),
  );

/** `packages/app/client`, or `packages/lib/client` where packages have floors of their own. */
const packageOf = (file: string): string | undefined =>
  /^packages\/(?:(?:below|above|lib|app)\/)?[^/]+/.exec(file)?.[0];

const floorOf = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : path.posix.dirname(name);

/** The kernel, or a group of `src`. */
const roomOf = (file: string): string | undefined => /^kernel(?=\/)|^src\/[^/]+/.exec(file)?.[0];
