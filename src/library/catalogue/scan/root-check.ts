import type { Database } from '../../../../kernel/store/index.ts';
import { countMediaIn } from '../tables/file-store.ts';
import { findLibrary, rootsOf, updateLibrary, type LibraryRow } from '../tables/library-store.ts';
import { parseList } from '../tables/rows.ts';
import { parseRootProblems, type RootHealth } from './root-health.ts';
import type { RootProblem } from '../../../contract/resources/library/libraries.ts';

export interface RootCheckParts {
  readonly database: Database;
  readonly rootHealth: Pick<RootHealth, 'problemsOf'>;
  /** Called when the stored problems of a library may have changed. */
  readonly onProblems: () => void;
}

/** Checks the roots of a library, and stores their problems. */
export type RootCheck = (libraryId: string) => Promise<void>;

/** Creates the check. What a scan alone can find is kept. */
export function createRootCheck({ database, rootHealth, onProblems }: RootCheckParts): RootCheck {
  return async (libraryId) => {
    const library = await findLibrary(database.read, libraryId);
    if (!library) return;
    const found = await Promise.all(rootsOf(library).map((root) => look(library, root)));
    const now = found.flat();
    const known = parseRootProblems(parseList(library.problems));
    const kept = known.filter(
      ({ code, uri }) => code === 'scan-failed' && !now.some((one) => one.uri === uri),
    );
    const all = [...now, ...kept];
    const problems = all.length === 0 ? null : JSON.stringify(all);
    if (problems !== library.problems)
      await database.write((trx) => updateLibrary(trx, library.no, { problems }));
    onProblems();
  };

  /** A root in which no files were found yet may be empty. */
  async function look(library: LibraryRow, root: string): Promise<readonly RootProblem[]> {
    const problems = await rootHealth.problemsOf(library, root);
    if (!problems.some(({ code, uri }) => code === 'empty' && uri === root)) return problems;
    return (await countMediaIn(database.read, library.no, root)) > 0 ? problems : [];
  }
}
