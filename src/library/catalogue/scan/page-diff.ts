import type { ReconcileInput, ReconcileResult, ScannedFile } from '../../../../plugin-api/index.ts';
import type { KnownFile } from './known-file-store.ts';

/** How a stretch of a page differs from the known files. Files are media unless named otherwise. */
export interface PageDiff {
  readonly discovered: ScannedFile[];
  /** Known and active, with another size or modification time. */
  readonly changed: FoundAgain[];
  /** Known as missing, and present again. */
  readonly returned: FoundAgain[];
  readonly gone: KnownFile[];
  unchanged: number;
  readonly auxiliary: AuxiliaryDiff;
  /** Rows of files that changed between media and auxiliary. */
  readonly replaced: KnownFile[];
  /** How many files were known, up to the end of the stretch. */
  known: number;
  /** How many known, active media files were compared. */
  active: number;
  /** The bounds of the page. */
  readonly range: PageRange;
  /** Whether the library equals the page once this is written. */
  isSettled: boolean;
}

/** The same for auxiliary files. */
export interface AuxiliaryDiff {
  readonly discovered: ScannedFile[];
  readonly changed: FoundAgain[];
  readonly gone: KnownFile[];
}

/** A known file with its current size and time. */
export interface FoundAgain {
  readonly known: KnownFile;
  readonly scanned: ScannedFile;
}

/** The counts of a page, in files. */
export type PageCounts = { -readonly [Key in keyof Omit<ReconcileResult, 'files'>]: number };

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

function emptyDiff(range: PageRange, known: number): PageDiff {
  return {
    discovered: [],
    changed: [],
    returned: [],
    gone: [],
    unchanged: 0,
    auxiliary: { discovered: [], changed: [], gone: [] },
    replaced: [],
    known,
    active: 0,
    range,
    isSettled: true,
  };
}

/** Marks nothing below this folder as gone; returns how many media files that kept. */
export function withholdLosses(diff: PageDiff, folder: string): number {
  const isKept = ({ uri }: KnownFile): boolean => !uri.startsWith(`${folder}/`);
  const before = diff.gone.length + diff.auxiliary.gone.length;
  const files = diff.gone.length;
  for (const list of [diff.gone, diff.auxiliary.gone])
    list.splice(0, list.length, ...list.filter(isKept));
  if (diff.gone.length + diff.auxiliary.gone.length < before) diff.isSettled = false;
  return files - diff.gone.length;
}

/** How many rows a diff touches. */
export function diffSize(diff: PageDiff): number {
  const { discovered, changed, returned, gone, auxiliary, replaced } = diff;
  const media = discovered.length + changed.length + returned.length + gone.length;
  const auxiliaryRows =
    auxiliary.discovered.length + auxiliary.changed.length + auxiliary.gone.length;
  return media + auxiliaryRows + replaced.length;
}

/** The range of a page, in the order of URIs: above `after` and not above `through`. */
export interface PageRange {
  readonly after: string;
  readonly through: string;
}

export function pageRange(page: Pick<ReconcileInput, 'root' | 'after' | 'through'>): PageRange {
  // A slash ends the root, and 0 is the character after the slash: so this is everything below the
  // root.
  return { after: page.after ?? `${page.root}/`, through: page.through ?? `${page.root}0` };
}

/** The stretches that a page covers: those that it names, else all of it. */
export function stretchesOf(page: ReconcileInput): readonly PageRange[] {
  const range = pageRange(page);
  if (page.stretches === undefined) return [range];
  return page.stretches.map(({ after, through }) => ({
    after: after ?? range.after,
    through: through ?? range.through,
  }));
}

/**
 * Merges the known files of a page, read in portions, with those that the scan found. Both are in
 * the order of their URIs, so each is read once and only the difference is kept in memory. Each
 * yielded diff touches about `largest` rows at most, also when everything is gone.
 */
export async function* diffPage(
  page: ReconcileInput,
  readPortion: (after: string, limit: number) => Promise<readonly KnownFile[]>,
  largest: number,
): AsyncGenerator<PageDiff, undefined> {
  const isUnreadable = createUnreadable(page.unreadable);
  const range = pageRange(page);
  // A page with stretches has known files outside of them.
  let diff = emptyDiff(range, page.stretches ? 1 : 0);
  let at = 0;
  let after = range.after;
  for (;;) {
    const portion = await readPortion(after, largest);
    for (const known of portion) {
      for (; at < page.files.length; at++) {
        const scanned = page.files[at];
        if (scanned === undefined || scanned.uri >= known.uri) break;
        discover(diff, scanned);
      }
      const scanned = page.files[at];
      diff.known++;
      if (known.type === 'media' && known.status !== 'missing') diff.active++;
      if (scanned?.uri === known.uri) {
        compare(diff, known, scanned);
        at++;
      } else if (known.status !== 'missing' && !isUnreadable(known.uri)) lose(diff, known);
    }
    if (portion.length < largest) break;
    after = portion.at(-1)?.uri ?? after;
    if (diffSize(diff) >= largest) {
      yield diff;
      diff = emptyDiff(range, diff.known);
    }
  }
  for (const scanned of page.files.slice(at)) discover(diff, scanned);
  yield diff;
}

function discover(diff: PageDiff, scanned: ScannedFile): void {
  (scanned.type === 'auxiliary' ? diff.auxiliary : diff).discovered.push(scanned);
}

function lose(diff: PageDiff, known: KnownFile): void {
  (known.type === 'auxiliary' ? diff.auxiliary : diff).gone.push(known);
}

function compare(diff: PageDiff, known: KnownFile, scanned: ScannedFile): void {
  const isOther = known.size !== scanned.size || known.modifiedAt !== scanned.modifiedAt;
  if (known.type !== (scanned.type ?? 'media')) turn(diff, known, scanned);
  else if (known.type === 'auxiliary') {
    if (isOther) diff.auxiliary.changed.push({ known, scanned });
  } else if (known.status === 'missing') diff.returned.push({ known, scanned });
  else if (isOther) diff.changed.push({ known, scanned });
  else diff.unchanged++;
}

/**
 * A file that changed between media and auxiliary, because another plugin now decides what media
 * is. Media is marked as missing first, so that its item is updated; the next scan adds it again.
 */
function turn(diff: PageDiff, known: KnownFile, scanned: ScannedFile): void {
  if (known.type === 'media' && known.status !== 'missing') {
    diff.isSettled = false;
    diff.gone.push(known);
    return;
  }
  diff.replaced.push(known);
  discover(diff, scanned);
}

function createUnreadable(folders: readonly string[]): (uri: string) => boolean {
  const prefixes = folders.map((folder) => (folder.endsWith('/') ? folder : `${folder}/`));
  return (uri) => prefixes.some((prefix) => uri.startsWith(prefix) || `${uri}/` === prefix);
}
