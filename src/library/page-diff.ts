import type { ReconcileInput, ReconcileResult, ScannedFile } from '../../plugin-api/index.ts';
import type { KnownFile } from './file-store.ts';

/** How a stretch of a page differs from what is known of it. */
export interface PageDiff {
  readonly discovered: ScannedFile[];
  /** Known and active, with another size or moment of change. */
  readonly changed: FoundAgain[];
  /** Known as missing, and there again. */
  readonly returned: FoundAgain[];
  readonly gone: KnownFile[];
  unchanged: number;
}

/** A known file as it is now. */
export interface FoundAgain {
  readonly known: KnownFile;
  readonly scanned: ScannedFile;
}

/** How a page counts, in files. */
export type PageCounts = { -readonly [Key in keyof ReconcileResult]: number };

export function emptyCounts(): PageCounts {
  return { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };
}

export function addCounts(sum: PageCounts, counts: PageCounts): void {
  sum.added += counts.added;
  sum.changed += counts.changed;
  sum.moved += counts.moved;
  sum.gone += counts.gone;
  sum.unchanged += counts.unchanged;
}

export function emptyDiff(): PageDiff {
  return { discovered: [], changed: [], returned: [], gone: [], unchanged: 0 };
}

/** How many rows a diff would touch. */
export function diffSize(diff: PageDiff): number {
  return diff.discovered.length + diff.changed.length + diff.returned.length + diff.gone.length;
}

/** The known files that a page speaks for: those above `after` and not above `through`. */
export function pageRange(page: ReconcileInput): {
  readonly after: string;
  readonly through: string;
} {
  // A slash ends the root, and the digit 0 is the character after it: so this is all below the root.
  return { after: page.after ?? `${page.root}/`, through: page.through ?? `${page.root}0` };
}

/**
 * Merges what is known of a page, read in portions, with what the scan found there. Both come in
 * the order of their URIs, so each is gone through once and nothing but the difference is kept. What
 * it gives in one go touches about `largest` rows at most, however much is gone.
 */
export async function* diffPage(
  page: ReconcileInput,
  readPortion: (after: string, limit: number) => Promise<readonly KnownFile[]>,
  largest: number,
): AsyncGenerator<PageDiff, undefined> {
  const isUnreadable = createUnreadable(page.unreadable);
  let diff = emptyDiff();
  let at = 0;
  let after = pageRange(page).after;
  for (;;) {
    const portion = await readPortion(after, largest);
    for (const known of portion) {
      for (; at < page.files.length; at++) {
        const scanned = page.files[at];
        if (scanned === undefined || scanned.uri >= known.uri) break;
        diff.discovered.push(scanned);
      }
      const scanned = page.files[at];
      if (scanned?.uri === known.uri) {
        compare(diff, known, scanned);
        at++;
      } else if (known.status !== 'missing' && !isUnreadable(known.uri)) diff.gone.push(known);
    }
    if (portion.length < largest) break;
    after = portion.at(-1)?.uri ?? after;
    if (diffSize(diff) >= largest) {
      yield diff;
      diff = emptyDiff();
    }
  }
  diff.discovered.push(...page.files.slice(at));
  yield diff;
}

function compare(diff: PageDiff, known: KnownFile, scanned: ScannedFile): void {
  if (known.status === 'missing') diff.returned.push({ known, scanned });
  else if (known.size !== scanned.size || known.modifiedAt !== scanned.modifiedAt)
    diff.changed.push({ known, scanned });
  else diff.unchanged++;
}

function createUnreadable(folders: readonly string[]): (uri: string) => boolean {
  const prefixes = folders.map((folder) => (folder.endsWith('/') ? folder : `${folder}/`));
  return (uri) => prefixes.some((prefix) => uri.startsWith(prefix) || `${uri}/` === prefix);
}
