/**
 * What went away with its disk is not gone. Before files of a root are called gone, the root itself is
 * looked at: it must be there, hold something, and lie on the volume on which it was last seen whole.
 * An unmounted disk leaves an empty folder behind, or what another disk holds.
 */
import type { Database, Log } from '../../kernel/index.ts';
import { findLibrary, rootsOf, updateLibrary, type LibraryRow } from './library-store.ts';
import { isMap, parseMap } from './rows.ts';

/** What a look at a root tells. */
export interface RootSight {
  readonly isEmpty: boolean;
  /** Names what it lies on; null = the filesystem cannot tell. */
  readonly volume: string | null;
}

/** Looks at a root; rejects when it cannot be listed. */
export type LookAtRoot = (uri: string) => Promise<RootSight>;

/** Something that is wrong with a root of a library. */
export interface RootProblem {
  readonly uri: string;
  readonly code: 'unreachable' | 'empty' | 'other-volume' | 'scan-failed';
  readonly message: string;
}

export interface RootWitness {
  /** Why nothing of the root can be called gone; null = it can. */
  readonly problemOf: (library: LibraryRow, root: string) => Promise<RootProblem | null>;
  /** Remembers on which volumes these roots lie from now on. */
  readonly remember: (libraryId: string, roots: readonly string[]) => Promise<void>;
}

export function createRootWitness(parts: {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly lookAtRoot: LookAtRoot;
  readonly log: Log;
}): RootWitness {
  const { database, lookAtRoot, log } = parts;

  return {
    problemOf: async (library, root) => {
      const problem = await look(library, root);
      if (problem) log.warn({ libraryId: library.id, ...problem }, 'A root is not what it was');
      return problem;
    },
    remember: async (libraryId, roots) => {
      const library = await findLibrary(database.read, libraryId);
      if (!library) return;
      const known = volumesOf(library);
      const volumes = new Map(rootsOf(library).map((root) => [root, known.get(root) ?? null]));
      for (const root of roots) {
        const volume = await lookAtRoot(root).then(
          (sight) => sight.volume,
          () => null,
        );
        if (volumes.has(root)) volumes.set(root, volume ?? known.get(root) ?? null);
      }
      const text = JSON.stringify(Object.fromEntries(volumes));
      if (text === library.root_volumes) return;
      await database.write((trx) => updateLibrary(trx, library.no, { root_volumes: text }));
    },
  };

  async function look(library: LibraryRow, uri: string): Promise<RootProblem | null> {
    try {
      const { isEmpty, volume } = await lookAtRoot(uri);
      if (isEmpty) return { uri, code: 'empty', message: emptyMessage };
      const known = volumesOf(library).get(uri);
      const isOther = typeof known === 'string' && volume !== null && volume !== known;
      return isOther ? { uri, code: 'other-volume', message: otherMessage } : null;
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const message = `It cannot be reached, so nothing in it is called gone. ${said}`;
      return { uri, code: 'unreachable', message };
    }
  }
}

const emptyMessage =
  'It is empty, and it was not: a disk may be missing. Nothing in it is called gone. If it is to be ' +
  'empty, take it out of the library.';
const otherMessage =
  'It lies on another disk than before, and files are missing there: nothing in it is called gone. ' +
  'If that is meant, take it out of the library and add it again.';

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
  'scan-failed',
];

function isCode(value: unknown): value is RootProblem['code'] {
  return codes.some((code) => code === value);
}
