/**
 * What went away with its disk is not gone. Before files of a root are called gone, the root itself is
 * looked at: it must be there, hold something, and lie on the volume on which it was last seen whole.
 * An unmounted disk leaves an empty folder behind, or what another disk holds. What is mounted below a
 * root is its own witness: files below it are gone only while it is mounted and holds something.
 */
import type { Database, Log } from '../../kernel/index.ts';
import { findLibrary, rootsOf, updateLibrary, type LibraryRow } from './library-store.ts';
import { isMap, parseMap } from './rows.ts';

/** What a look at a root tells. */
export interface RootSight {
  readonly isEmpty: boolean;
  /** Names what it lies on; null = the filesystem cannot tell. */
  readonly volume: string | null;
  /** URIs of folders below it that lie on volumes of their own. */
  readonly mounts?: readonly string[];
}

/** Looks at a root; rejects when it cannot be listed. */
export type LookAtRoot = (uri: string) => Promise<RootSight>;

/** Something that is wrong with a root of a library, or with what is mounted below it. */
export interface RootProblem {
  readonly uri: string;
  readonly code: 'unreachable' | 'empty' | 'other-volume' | 'unmounted' | 'scan-failed';
  readonly message: string;
}

export interface RootWitness {
  /** Why nothing of the root, or of a folder in it, can be called gone; none = all of it can. */
  readonly problemsOf: (library: LibraryRow, root: string) => Promise<readonly RootProblem[]>;
  /** Remembers on which volumes these roots lie from now on, and what is mounted in them. */
  readonly remember: (libraryId: string, roots: readonly string[]) => Promise<void>;
}

/** A disk that was away for so long is not waited for any longer. */
const mountGraceMs = 30 * 24 * 3_600_000;

export function createRootWitness(parts: {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly lookAtRoot: LookAtRoot;
  readonly now: () => number;
  readonly log: Log;
}): RootWitness {
  const { database, lookAtRoot, now, log } = parts;

  return {
    problemsOf: async (library, root) => {
      const problems = await look(library, root);
      for (const problem of problems)
        log.warn({ libraryId: library.id, ...problem }, 'A root is not what it was');
      return problems;
    },
    remember: async (libraryId, roots) => {
      const library = await findLibrary(database.read, libraryId);
      if (!library) return;
      const known = volumesOf(library);
      const all = rootsOf(library);
      const volumes = new Map(all.map((root) => [root, known.get(root) ?? null]));
      const mounts = new Map(
        [...mountsOf(library)].filter(([uri]) => all.some((root) => uri.startsWith(`${root}/`))),
      );
      for (const root of roots) {
        const sight = await lookAtRoot(root).catch(() => null);
        if (volumes.has(root)) volumes.set(root, sight?.volume ?? known.get(root) ?? null);
        for (const mount of sight?.mounts ?? []) mounts.set(mount, now());
      }
      const changes = {
        root_volumes: JSON.stringify(Object.fromEntries(volumes)),
        mounts: mounts.size === 0 ? null : JSON.stringify(Object.fromEntries(mounts)),
      };
      if (changes.root_volumes === library.root_volumes && changes.mounts === library.mounts)
        return;
      await database.write((trx) => updateLibrary(trx, library.no, changes));
    },
  };

  async function look(library: LibraryRow, uri: string): Promise<readonly RootProblem[]> {
    const sight = await sightOf(uri);
    if ('problem' in sight) return [sight.problem];
    const { isEmpty, volume, mounts = [] } = sight;
    if (isEmpty) return [{ uri, code: 'empty', message: emptyMessage }];
    const known = volumesOf(library).get(uri);
    const isOther = typeof known === 'string' && volume !== null && volume !== known;
    if (isOther) return [{ uri, code: 'other-volume', message: otherMessage }];
    const awaited = [...mountsOf(library)].flatMap(([mount]) =>
      mount.startsWith(`${uri}/`) ? mount : [],
    );
    const problems = await Promise.all(
      awaited.map((mount) => lookAtMount(mount, mounts.includes(mount))),
    );
    return problems.flat();
  }

  async function lookAtMount(uri: string, isMounted: boolean): Promise<readonly RootProblem[]> {
    if (!isMounted) return [{ uri, code: 'unmounted', message: unmountedMessage }];
    const sight = await sightOf(uri);
    if ('problem' in sight) return [sight.problem];
    return sight.isEmpty ? [{ uri, code: 'empty', message: emptyMessage }] : [];
  }

  async function sightOf(uri: string): Promise<RootSight | { readonly problem: RootProblem }> {
    try {
      return await lookAtRoot(uri);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const message = `It cannot be reached, so nothing in it is called gone. ${said}`;
      return { problem: { uri, code: 'unreachable', message } };
    }
  }

  /** Those that are still waited for, with when they were last seen. */
  function mountsOf(library: LibraryRow): ReadonlyMap<string, number> {
    const since = now() - mountGraceMs;
    const all = Object.entries(parseMap(library.mounts));
    return new Map(
      all.flatMap(([uri, at]): [string, number][] =>
        typeof at === 'number' && at > since ? [[uri, at]] : [],
      ),
    );
  }
}

const emptyMessage =
  'It is empty, and it was not: a disk may be missing. Nothing in it is called gone. If it is to be ' +
  'empty, take it out of the library.';
const otherMessage =
  'It lies on another disk than before, and files are missing there: nothing in it is called gone. ' +
  'If that is meant, take it out of the library and add it again.';

const unmountedMessage =
  'A disk was mounted here, and none is: nothing in it is called gone. If it is not to come back, that ' +
  'ends after 30 days.';

function volumesOf(library: LibraryRow): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(parseMap(library.root_volumes)));
}

/** The problems in a column or a checkpoint, what is none left out. */
export function parseRootProblems(value: unknown): readonly RootProblem[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one) => {
    if (!isMap(one)) return [];
    const { uri, code, message } = one;
    if (typeof uri !== 'string' || typeof message !== 'string' || !isCode(code)) return [];
    return [{ uri, code, message }];
  });
}

const codes: readonly RootProblem['code'][] = [
  'unreachable',
  'empty',
  'other-volume',
  'unmounted',
  'scan-failed',
];

function isCode(value: unknown): value is RootProblem['code'] {
  return codes.some((code) => code === value);
}
