import type { FoundProblem } from '../../../platform/problems/index.ts';
import type { Library } from './library.ts';

/** The codes of the problems of libraries. */
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
      message: `A folder of the library ${library.name} cannot be used.`,
      detail: named(roots),
      action: 'Mount its disk, or give the user of the server read access; then scan the library.',
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
      message: `The last scan of the library ${library.name} failed.`,
      detail: first.message,
      action: 'Remove the cause, and scan the library again.',
    },
  ];
}

function incomplete(library: Shown): readonly FoundProblem[] {
  return library.problems
    .filter(({ code }) => code === 'incomplete')
    .map(({ message }) => ({
      code: 'library_incomplete',
      subject: subjectOf(library),
      message: `The last scan of the library ${library.name} could not read everything.`,
      detail: message,
      action:
        'The result of the scan, on the page of its jobs, lists them. Give the user of the server read access, or repair the links.',
    }));
}

const named = (roots: Shown['problems']): string => {
  const shown = roots.slice(0, mostNamed).map(({ uri, message }) => `${uri}: ${message}`);
  const rest = roots.length - shown.length;
  return rest === 0 ? shown.join(' ') : `${shown.join(' ')} And ${rest} more.`;
};
