/**
 * A program that the kernel lets open only the named places (landlock(7)), with a filter of system calls
 * for what Landlock leaves open. It needs no rights and works where namespaces are forbidden, as in
 * containers. `setpriv` of util-linux 2.41 or later sets both and then becomes the program.
 *
 * Such a program can still ask whether a file of a name exists, and how large it is.
 */
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What a program may do with a file or, for a folder, with all that is in it. */
export type Right = 'read-file' | 'read-dir' | 'write-file' | 'execute';

/** A place that a program may open. */
export interface OpenPlace {
  /** Absolute. A descriptor of the program is `/dev/fd/<number>`. */
  readonly place: string;
  readonly rights: readonly Right[];
}

/** What the command is made of. */
export interface LandlockParts {
  /** Absolute path of `setpriv`. */
  readonly setpriv: string;
  /** Places that are not there are left out. */
  readonly places: readonly OpenPlace[];
  /** The descriptor at which the started process has the filter of system calls. */
  readonly filterAt: number;
}

/** The command line before the program and its arguments. The program ends with the one that starts it. */
export function landlockCommand({ setpriv, places, filterAt }: LandlockParts): readonly string[] {
  const filter = `/dev/fd/${filterAt}`;
  // Descriptors are those of the started process; the filter is read when the rules hold already.
  const isThere = ({ place }: OpenPlace) => place.startsWith('/dev/fd/') || existsSync(place);
  const rules = [...places.filter(isThere), { place: filter, rights: ['read-file'] }].flatMap(
    ({ place, rights }) => ['--landlock-rule', `path-beneath:${rights.join(',')}:${place}`],
  );
  return [
    ...[setpriv, '--no-new-privs', '--pdeathsig', 'KILL', ...withoutCapabilities()],
    ...['--landlock-access', 'fs', ...rules, '--seccomp-filter', filter, '--'],
  ];
}

/** Root keeps its rights over a program that it starts; other users have none. */
const withoutCapabilities = (): readonly string[] =>
  process.getuid?.() === 0 ? ['--inh-caps=-all', '--bounding-set=-all'] : [];

/**
 * The descriptor of a file that no other process can find. It is open as long as this process runs, and to
 * read only: a program that is given it must not change the filter of the next one.
 */
export function fileWithoutName(bytes: Buffer): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-filter-'));
  try {
    const file = path.join(folder, 'filter');
    writeFileSync(file, bytes, { mode: 0o600 });
    return openSync(file, 'r');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
