/** The contents of a PDF, and where its lines and links lead. */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ContentsLine } from './messages.ts';

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;
/** A place in the book as the file names it: by name, or as an explicit array. */
export type Destination = string | readonly unknown[] | null;

/** The lines of the contents, and the destination of each. */
export interface Contents {
  readonly lines: readonly ContentsLine[];
  readonly destinations: readonly Destination[];
}

const maxLines = 2000;
const maxDepth = 8;

/** Reads the contents; a PDF without them, or with damaged ones, has none. */
export async function contentsOf(pdf: PDFDocumentProxy): Promise<Contents> {
  const lines: ContentsLine[] = [];
  const destinations: Destination[] = [];
  const walk = (outline: Outline, depth: number): void => {
    for (const { title, dest, items } of outline) {
      if (lines.length >= maxLines) return;
      lines.push({ title, depth });
      destinations.push(dest as Destination);
      if (depth < maxDepth) walk(items as Outline, depth + 1);
    }
  };
  // A file may have no outline, which the types of the package do not say.
  walk((await pdf.getOutline().catch(() => null)) ?? [], 0);
  return { lines, destinations };
}

/** The page of a destination, from 1; `undefined` = it leads nowhere. */
export async function pageOf(
  pdf: PDFDocumentProxy,
  destination: Destination,
): Promise<number | undefined> {
  try {
    const explicit =
      typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
    const target: unknown = explicit?.[0];
    if (typeof target === 'number') return target + 1;
    if (typeof target !== 'object' || target === null) return undefined;
    return (await pdf.getPageIndex(target as Parameters<typeof pdf.getPageIndex>[0])) + 1;
  } catch {
    return undefined;
  }
}

/** Whether the file says that it is read from right to left. */
export async function isRightToLeft(pdf: PDFDocumentProxy): Promise<boolean> {
  const wishes: unknown = await pdf.getViewerPreferences().catch(() => null);
  return (
    typeof wishes === 'object' &&
    wishes !== null &&
    (wishes as Readonly<Record<string, unknown>>)['Direction'] === 'R2L'
  );
}

/** The language that the file names, as BCP 47; empty = it names none. */
export async function languageOf(pdf: PDFDocumentProxy): Promise<string> {
  const about = await pdf.getMetadata().catch(() => null);
  const language: unknown = (about?.info as Readonly<Record<string, unknown>> | undefined)?.[
    'Language'
  ];
  return typeof language === 'string' && /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(language)
    ? language
    : '';
}
