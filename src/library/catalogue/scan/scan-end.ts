import type { Database } from '../../../../kernel/store/index.ts';
import { countMediaIn } from '../tables/file-store.ts';
import { rootsOf, updateLibrary, type LibraryRow } from '../tables/library-store.ts';
import { parseRootProblems, type RootHealth } from './root-health.ts';
import { probeRefusedAgain } from './refused-files.ts';
import { measureTables } from './measure-tables.ts';
import { isMap, parseList } from '../tables/rows.ts';
import { unreadPlacesIn } from './unread-places.ts';
import { isPartial, type ScanState } from './scan-state.ts';
import type { RootProblem } from '../../../contract/resources/library/libraries.ts';

export interface ScanEndParts {
  readonly database: Database;
  readonly rootHealth: Pick<RootHealth, 'problemsOf' | 'remember'>;
  /** The types of libraries that plugins here find files for. */
  readonly libraryTypes: () => readonly string[];
  /** Called when the stored problems of a library may have changed. */
  readonly onProblems: () => void;
  readonly now: () => number;
}

/** Completes a scan in its library. */
export class ScanEnd {
  readonly #parts: ScanEndParts;

  constructor(parts: ScanEndParts) {
    this.#parts = parts;
  }

  /** No plugin finds files for its type, so nothing was looked for. */
  #unknownType(library: LibraryRow, { plan, absent }: ScanState): readonly RootProblem[] {
    const types = this.#parts.libraryTypes();
    const isSought = plan.extensions.length + plan.patterns.length + absent.length > 0;
    if (isSought || types.includes(library.type)) return [];
    const message =
      `No plugin finds files for a library of the type ${library.type}; ` +
      `the types that work here are ${types.join(', ')}.`;
    return rootsOf(library).map((uri) => ({ uri, code: 'scan-failed', message }));
  }

  /**
   * A scan of some folders keeps the mark of an interrupted whole scan, and the problems of roots
   * that it did not visit.
   */
  async #store(
    library: LibraryRow,
    { plan, hasMarked }: ScanState,
    problems: readonly RootProblem[],
    result: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const isWhole = !isPartial(plan);
    const known = isWhole ? [] : parseRootProblems(parseList(library.problems));
    const all = [...new Map([...known, ...problems].map((one) => [one.uri, one])).values()];
    const changes = {
      problems: all.length === 0 ? null : JSON.stringify(all),
      ...((isWhole || hasMarked) && { scan_after: null, scan_began_at: null }),
      ...(isWhole && { last_scan_at: this.#parts.now(), unread_places: unreadIn(result) }),
    };
    await this.#parts.database.write((trx) => updateLibrary(trx, library.no, changes));
    this.#parts.onProblems();
  }

  /** Gives the result of the job. */
  readonly finish = async (
    library: LibraryRow,
    state: ScanState,
    result: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const { database, rootHealth } = this.#parts;
    const own = [...this.#unknownType(library, state), ...state.withheld.map(withoutFiles)];
    await this.#store(library, state, [...failuresIn(result), ...own], result);
    if (!isPartial(state.plan)) await rootHealth.remember(library.id, await wholeRoots(library));
    await probeRefusedAgain(database, library, state.plan);
    await measureTables(database, { before: state.counts.added, after: 'end' });
    return { ...result, ...withOwn(result) };

    function withOwn(given: Readonly<Record<string, unknown>>): object {
      if (own.length === 0) return {};
      const failed = parseTexts(given['failedRoots']);
      return {
        problems: [...listOf(given['problems']), ...own],
        problemCount: (Number(given['problemCount']) || 0) + own.length,
        failedRoots: [...new Set([...failed, ...own.map(({ uri }) => uri)])],
      };
    }

    /** Roots that were complete, also those on another volume that hold most of their files. */
    async function wholeRoots({ no }: LibraryRow): Promise<readonly string[]> {
      const failed = parseTexts(result['failedRoots']);
      const roots = rootsOf(library).filter((root) => !failed.includes(root));
      const whole: string[] = [];
      for (const root of roots) {
        const missed = state.withheld.find(({ uri }) => uri === root)?.files ?? 0;
        if (missed === 0 || missed * 2 < (await countMediaIn(database.read, no, root)))
          whole.push(root);
      }
      return whole;
    }
  };

  /** The job has failed finally. */
  readonly fail = async (library: LibraryRow, message: string): Promise<void> => {
    const found = await Promise.all(
      rootsOf(library).map((root) => this.#parts.rootHealth.problemsOf(library, root)),
    );
    // A root that cannot be reached says more than that the scan failed.
    const known = found.flat();
    const failed = rootsOf(library).map((uri) => ({
      uri,
      code: 'scan-failed' as const,
      message,
    }));
    const problems = known.length > 0 ? known : failed;
    await this.#parts.database.write((trx) =>
      updateLibrary(trx, library.no, { problems: JSON.stringify(problems) }),
    );
    this.#parts.onProblems();
  };
}

function withoutFiles({ uri, code, message }: RootProblem): RootProblem {
  return { uri, code, message };
}

function unreadIn(result: Readonly<Record<string, unknown>>): string | null {
  const unread = unreadPlacesIn(result, parseTexts(result['failedRoots']));
  return unread === null ? null : JSON.stringify(unread);
}

/** The roots that the scanner could not walk to the end. */
function failuresIn(result: Readonly<Record<string, unknown>>): readonly RootProblem[] {
  const failed = parseTexts(result['failedRoots']);
  return listOf(result['problems']).flatMap((problem) => {
    if (!isMap(problem)) return [];
    const { uri, message } = problem;
    if (typeof uri !== 'string' || typeof message !== 'string' || !failed.includes(uri)) return [];
    return [{ uri, code: 'unreachable' as const, message }];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseTexts(value: unknown): readonly string[] {
  return listOf(value).filter((text) => typeof text === 'string');
}
