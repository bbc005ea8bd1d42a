import type { FoundProblem } from '../../../platform/problems/index.ts';
import { joinTexts, quoted, type Text } from '../../../platform/text.ts';
import type { Library } from './library.ts';
import { rootProblemText } from '../scan/root-problem.ts';

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
      message: {
        english: `A folder of the library ${library.name} cannot be used.`,
        german: `Ein Ordner der Bibliothek ${library.name} ist nicht benutzbar.`,
      },
      detail: named(roots),
      action: {
        english:
          'Mount its disk, or give the user of the server read access; then scan the library.',
        german:
          'Hängen Sie seine Platte ein, oder geben Sie dem Benutzer des Servers Leserechte; lesen Sie die Bibliothek dann neu ein.',
      },
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
      message: {
        english: `The last scan of the library ${library.name} failed.`,
        german: `Der letzte Scan der Bibliothek ${library.name} ist gescheitert.`,
      },
      detail: rootProblemText(first),
      action: {
        english: 'Remove the cause, and scan the library again.',
        german: 'Beheben Sie die Ursache, und scannen Sie die Bibliothek noch einmal.',
      },
    },
  ];
}

function incomplete(library: Shown): readonly FoundProblem[] {
  return library.problems
    .filter(({ code }) => code === 'incomplete')
    .map((problem) => ({
      code: 'library_incomplete',
      subject: subjectOf(library),
      message: {
        english: `The last scan of the library ${library.name} could not read everything.`,
        german: `Der letzte Scan der Bibliothek ${library.name} konnte nicht alles lesen.`,
      },
      detail: rootProblemText(problem),
      action: {
        english:
          'The result of the scan, on the page of its jobs, lists them. Give the user of the server read access, or repair the links.',
        german:
          'Das Ergebnis des Scans, auf der Seite der Aufgaben, zählt sie auf. Geben Sie dem Benutzer des Servers Leserechte, oder reparieren Sie die Verweise.',
      },
    }));
}

function named(roots: Shown['problems']): Text {
  const shown = roots
    .slice(0, mostNamed)
    .map((problem) => joinTexts([quoted(`${problem.uri}:`), rootProblemText(problem)]));
  const rest = roots.length - shown.length;
  const others = { english: `And ${rest} more.`, german: `Und ${rest} weitere.` };
  return joinTexts(rest === 0 ? shown : [...shown, others]);
}
