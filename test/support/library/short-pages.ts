/** Pages of a scan as a filesystem and a scanner shorten them: without what is as it was. */
import { KernelError } from '../../../kernel/index.ts';
import {
  createDigest,
  type LibraryService,
  type PageStretch,
  type ReconcileInput,
  type ReconcileResult,
  type ScannedFile,
} from '../../../plugin-api/index.ts';
import type { TestLibrary } from './library.ts';

/** A page as its library knows it. */
export type KnownPage = Awaited<ReturnType<LibraryService['pages']>>['pages'][number];

const lineOf = ({ uri, size, modifiedAt }: ScannedFile): string => `${uri} ${size} ${modifiedAt}`;

/** What tells a page, and each of its files. */
export function marksOf(files: readonly ScannedFile[]): { digest: string; parts: string } {
  const parts = files.map(lineOf).join('\n');
  const digest = createDigest();
  digest.add(parts);
  return { digest: digest.text(), parts };
}

/** The pages that a library knows of a root, with their parts, from a place on. */
export async function knownPages(
  library: TestLibrary,
  asked: { readonly libraryId: string; readonly root: string; readonly after: string | null },
): Promise<readonly KnownPage[]> {
  const run = library.service.methods['pages']?.run as (
    input: object,
  ) => ReturnType<LibraryService['pages']>;
  return (await run({ ...asked, withParts: true })).pages;
}

/** The page without what is as it was when the library came to know it. */
export function shortened(
  page: ReconcileInput,
  { digest, parts = '' }: Pick<KnownPage, 'digest' | 'parts'>,
): ReconcileInput {
  if (page.digest === digest) return { ...page, files: [], isKnown: true };
  const before = parts === '' ? [] : parts.split('\n');
  const stretches: PageStretch[] = [];
  const files: ScannedFile[] = [];
  let place = page.after;
  let open: ScannedFile[] = [];
  let position = 0;
  const differUpTo = (through: string | null): void => {
    stretches.push({ after: place, through });
    files.push(...open);
  };
  for (const file of page.files) {
    const was = before.indexOf(lineOf(file), position);
    open.push(file);
    if (was < 0) continue;
    if (open.length > 1 || was > position) differUpTo(file.uri);
    open = [];
    place = file.uri;
    position = was + 1;
  }
  if (open.length > 0 || position < before.length) differUpTo(page.through);
  return { ...page, files, stretches, known: digest };
}

/** Brings a page in, whole when the library does not know it any more. */
export async function bringIn(
  library: TestLibrary,
  page: ReconcileInput,
  whole: ReconcileInput,
): Promise<ReconcileResult> {
  try {
    return await library.reconcile(page);
  } catch (error) {
    if (page === whole || !(error instanceof KernelError) || error.code !== 'conflict') throw error;
    return library.reconcile(whole);
  }
}
