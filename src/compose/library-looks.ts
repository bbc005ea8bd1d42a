import type { Log } from '../../kernel/index.ts';
import { libraryCodes, libraryProblems, type LibraryDomain } from '../library/catalogue/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import type { Problems } from '../platform/problems/index.ts';

/** What keeps the problems of libraries up to date. */
export type LibraryLooks = ReturnType<typeof createLibraryLooks>;

/** Creates them; nothing is read before the first look. */
export function createLibraryLooks(parts: {
  readonly library: () => LibraryDomain;
  readonly report: Problems['set'];
  readonly log: Log;
}) {
  const { library, report, log } = parts;
  let lastReading = 0;

  /** Of two concurrent readings the later one counts. */
  async function read(): Promise<void> {
    const reading = (lastReading += 1);
    const libraries = await library().libraries.list(serverViewer);
    if (reading === lastReading) report(libraryCodes, libraryProblems(libraries));
  }

  async function checkTroubled(): Promise<void> {
    for (const { id, problems } of await library().libraries.list(serverViewer))
      if (problems.some(({ code }) => code !== 'scan-failed' && code !== 'incomplete'))
        await library().checkRoots(id);
  }

  const inBackground = (work: Promise<void>): void => {
    work.catch((err: unknown) => log.debug({ err }, 'The libraries could not be looked at.'));
  };

  return {
    /** Reads what is stored of the libraries. */
    look: (): void => inBackground(read()),
    /** Checks the roots of a library. */
    lookAtRoots: (id: string): void => inBackground(library().checkRoots(id)),
    /** Checks the roots of the libraries that have problems: a disk may be there again. */
    lookAgain: (): void => inBackground(checkTroubled().then(read)),
  };
}
