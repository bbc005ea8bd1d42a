/**
 * Files on an absent disk are not gone. Before files of a root are marked as gone, the root itself
 * is checked: it must exist, hold something, and lie on the volume on which it was last complete.
 * An unmounted disk leaves an empty folder behind, or the content of another disk. A mount below a
 * root is checked by itself: files below it are gone only while it is mounted and not empty.
 */
import type { Database } from '../../../../kernel/store/index.ts';
import { sentence } from '../../../platform/problems/index.ts';
import { rootTexts, unreachable } from './root-problem.ts';
import { findLibrary, rootsOf, updateLibrary, type LibraryRow } from '../tables/library-store.ts';
import { isMap, parseMap } from '../tables/rows.ts';
import { rootProblems, type RootProblem } from '../../../contract/resources/library/libraries.ts';

export interface RootState {
  readonly isEmpty: boolean;
  /** Identifies its volume; null = the filesystem cannot tell. */
  readonly volume: string | null;
  /** URIs of folders below it that are mounts of other volumes. */
  readonly mounts?: readonly string[];
}

/** Inspects a root; rejects when it cannot be listed. */
export type InspectRoot = (uri: string) => Promise<RootState>;

export type RootHealth = ReturnType<typeof createRootHealth>;

/** How long files below an absent mount are kept. */
const mountGraceMs = 30 * 24 * 3_600_000;

export function createRootHealth(parts: {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly inspectRoot: InspectRoot;
  readonly now: () => number;
}) {
  const { database, inspectRoot, now } = parts;

  return {
    problemsOf: look,
    /** Stores the volumes of these roots and their mounts, for later checks. */
    remember: async (libraryId: string, roots: readonly string[]): Promise<void> => {
      const library = await findLibrary(database.read, libraryId);
      if (!library) return;
      const known = volumesOf(library);
      const all = rootsOf(library);
      const volumes = new Map(all.map((root) => [root, known.get(root) ?? null]));
      const mounts = new Map(
        [...mountsOf(library)].filter(([uri]) => all.some((root) => uri.startsWith(`${root}/`))),
      );
      for (const root of roots) {
        const state = await inspectRoot(root).catch(() => null);
        if (volumes.has(root)) volumes.set(root, state?.volume ?? known.get(root) ?? null);
        for (const mount of state?.mounts ?? []) mounts.set(mount, now());
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

  /**
   * Why nothing of the root, or of a folder in it, may be marked as gone; empty = all of it may
   * be.
   */
  async function look(library: LibraryRow, uri: string): Promise<readonly RootProblem[]> {
    const state = await stateOf(uri);
    if ('problem' in state) return [state.problem];
    const { isEmpty, volume, mounts = [] } = state;
    if (isEmpty) return [{ uri, code: 'empty', message: rootTexts.empty.english }];
    const known = volumesOf(library).get(uri);
    const isOther = typeof known === 'string' && volume !== null && volume !== known;
    if (isOther) return [{ uri, code: 'other-volume', message: rootTexts['other-volume'].english }];
    const awaited = [...mountsOf(library)].flatMap(([mount]) =>
      mount.startsWith(`${uri}/`) ? mount : [],
    );
    const problems = await Promise.all(
      awaited.map((mount) => lookAtMount(mount, mounts.includes(mount))),
    );
    return problems.flat();
  }

  async function lookAtMount(uri: string, isMounted: boolean): Promise<readonly RootProblem[]> {
    if (!isMounted) return [{ uri, code: 'unmounted', message: rootTexts.unmounted.english }];
    const state = await stateOf(uri);
    if ('problem' in state) return [state.problem];
    return state.isEmpty ? [{ uri, code: 'empty', message: rootTexts.empty.english }] : [];
  }

  async function stateOf(uri: string): Promise<RootState | { readonly problem: RootProblem }> {
    try {
      return await inspectRoot(uri);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const message = `${unreachable.english} ${sentence(said)}`;
      return { problem: { uri, code: 'unreachable', message } };
    }
  }

  /** The mounts whose files are still kept, with the times when they were last seen. */
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

function volumesOf(library: LibraryRow): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(parseMap(library.root_volumes)));
}

/** The problems in a column or a checkpoint; invalid entries are left out. */
export function parseRootProblems(value: unknown): readonly RootProblem[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one) => {
    if (!isMap(one)) return [];
    const { uri, code, message } = one;
    if (typeof uri !== 'string' || typeof message !== 'string' || !isCode(code)) return [];
    return [{ uri, code, message }];
  });
}

/** `incomplete` is not of a root: it is stored with the places. */
const isCode = (value: unknown): value is RootProblem['code'] =>
  value !== 'incomplete' && rootProblems.some((code) => code === value);
