import type { FoundProblem } from '../../../platform/problems/index.ts';
import { joinTexts, quoted, type Text, say } from '../../../platform/text.ts';
import { rootProblemText } from '../scan/root-problem.ts';
import type { Library } from '../../../contract/resources/library/libraries.ts';

export const libraryCodes = [
  'library_unreachable',
  'library_scan_failed',
  'library_incomplete',
] as const;

type Shown = Pick<Library, 'id' | 'name' | 'problems'>;

const mostNamed = 3;

/** The problems of the libraries, as the table of problems has them. */
export const libraryProblems = (libraries: readonly Shown[]): readonly FoundProblem[] =>
  libraries.flatMap((library) => [
    ...unreachable(library),
    ...scanFailed(library),
    ...incomplete(library),
  ]);

const subjectOf = ({ id }: Shown) => ({ type: 'library', id });

function unreachable(library: Shown): readonly FoundProblem[] {
  const roots = library.problems.filter(
    ({ code }) => code !== 'scan-failed' && code !== 'incomplete',
  );
  if (roots.length === 0) return [];
  return [
    {
      code: 'library_unreachable',
      subject: subjectOf(library),
      message: say('libraries.folderCannotBeUsed', { library: library.name }),
      detail: named(roots),
      action: say('libraries.mountDiskGiveUserServer'),
    },
  ];
}

function scanFailed(library: Shown): readonly FoundProblem[] {
  const failed = library.problems.filter(({ code }) => code === 'scan-failed');
  const [first] = failed;
  if (first === undefined) return [];
  return [
    {
      code: 'library_scan_failed',
      subject: subjectOf(library),
      message: say('libraries.lastScanFailed', { library: library.name }),
      detail: rootProblemText(first),
      action: say('libraries.removeCauseScanLibraryAgain'),
    },
  ];
}

function incomplete(library: Shown): readonly FoundProblem[] {
  return library.problems
    .filter(({ code }) => code === 'incomplete')
    .map((problem) => ({
      code: 'library_incomplete',
      subject: subjectOf(library),
      message: say('libraries.lastScanLibraryCouldNot', { library: library.name }),
      detail: rootProblemText(problem),
      action: say('libraries.resultScanPageJobsLists'),
    }));
}

function named(roots: Shown['problems']): Text {
  const shown = roots
    .slice(0, mostNamed)
    .map((problem) => joinTexts([quoted(`${problem.uri}:`), rootProblemText(problem)]));
  const rest = roots.length - shown.length;
  const others = say('libraries.andMore', { rest });
  return joinTexts(rest === 0 ? shown : [...shown, others]);
}
