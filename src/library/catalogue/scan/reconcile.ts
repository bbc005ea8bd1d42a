import { createKeyedSerialQueue } from '../../../../packages/lib/concurrency/index.ts';
import { KernelError, type Log } from '../../../../kernel/index.ts';
import { mostIndexedBytes, type Database } from '../../../../kernel/store/index.ts';
import type { ReconcileInput, ReconcileResult } from '../../../../plugin-api/index.ts';
import type { BackgroundScheduler } from '../../../platform/background-scheduler.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import type { EntityRegistry } from '../entities/entity-registry.ts';
import { readRange, readRanges, type KnownFile } from './known-file-store.ts';
import { fileName, relativePath } from '../tables/file-uri.ts';
import type { Identifier } from '../commit/identifier.ts';
import { createValueReader } from '../items/item-values.ts';
import { createMoveEvidence, type MakeFingerprints } from './move-evidence.ts';
import type { EmitLibraryEvent } from '../tables/library-events.ts';
import { findLibrary, rootsOf, type LibraryRow } from '../tables/library-store.ts';
import type { ScanTally } from './scan-tally.ts';
import type { PageDigest, PageDigests } from './page-digests.ts';
import type { RootHealth } from './root-health.ts';
import { withholdDoubtful, type ScanDoubts } from './scan-doubt.ts';
import { assertPage } from './page-check.ts';
import type { Discovery } from './discovery.ts';
import { commitPage } from './page-commit.ts';
import {
  addCounts,
  diffPage,
  diffSize,
  emptyCounts,
  pageRange,
  stretchesOf,
  withholdLosses,
  type PageCounts,
  type PageDiff,
  type PageRange,
} from './page-diff.ts';

/**
 * Brings a page of a scan into its library. It is safe to repeat. Pages of one library are
 * committed one after the other, in the order of the calls; while a page waits for its turn, its
 * files are compared and identified.
 */
export type Reconcile = (
  page: ReconcileInput,
  options?: ReconcileOptions,
) => Promise<ReconcileResult>;

/** How a page is brought in. */
export interface ReconcileOptions {
  /** `certain`: files that are not in the page are gone, even if their root has a problem. */
  readonly losses?: 'doubted' | 'certain';
  /** What a large page waits for between its transactions; the background scheduler when absent. */
  readonly pace?: Pick<BackgroundScheduler, 'waitForSlot'>;
}

export interface ReconcileParts {
  readonly database: Database;
  readonly identifier: Identifier;
  readonly entities: EntityRegistry;
  readonly newId: NewId;
  readonly now: () => number;
  readonly emit: EmitLibraryEvent;
  /** Resolves when subscribers can take more events, or after the timeout. */
  readonly room: (timeoutMs: number) => Promise<void>;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot'>;
  readonly rootHealth: Pick<RootHealth, 'problemsOf'>;
  /** Computes fingerprints, which distinguish files by their content. */
  readonly fingerprints: MakeFingerprints;
  readonly log: Log;
  readonly pageDigests: Pick<PageDigests, 'find' | 'add' | 'invalidateRange'>;
  /** Counts the results of each page. */
  readonly tally: Pick<ScanTally, 'add' | 'withhold' | 'keep'>;
  /** The files that the running scan must not mark as gone. */
  readonly doubts: Pick<ScanDoubts, 'of'>;
}

/** A stretch of a page, with the identifications of its new files. */
interface Difference {
  readonly diff: PageDiff;
  readonly discoveries: readonly Discovery[];
}

/** A page that was compared while it waited. */
interface Compared {
  readonly library: LibraryRow;
  readonly root: string;
  /** How many files had moved at the time of the comparison. */
  readonly moves: number;
  readonly first: Difference | null;
  readonly rest: AsyncGenerator<PageDiff, undefined>;
}

const otherPage = (): KernelError =>
  new KernelError('conflict', 'The library has another version of this page.');

/**
 * About how many rows one transaction touches: it holds the writer for some tens of milliseconds.
 */
const largestDiff = 2000;
const roomTimeoutMs = 1000;

export function createReconcile(parts: ReconcileParts): Reconcile {
  const gatherEvidence = createMoveEvidence(parts);
  const commits = createKeyedSerialQueue<string>();

  /**
   * How many files of each library have moved: a page that was compared before a move compares
   * again.
   */
  const moves = new Map<number, number>();

  function reconcile(
    found: ReconcileInput,
    { losses = 'doubted', pace = parts.background }: ReconcileOptions = {},
  ): Promise<ReconcileResult> {
    const page = withoutLongest(found);
    if (page.isKnown) return commits.run(page.libraryId, () => passKnown(page));
    const early = begin(page);
    // The waiting caller receives the rejection, possibly later.
    early.catch(() => undefined);
    return commits.run(page.libraryId, async () => settleAll(page, await early, { losses, pace }));
  }

  /** Drops the files whose URIs the database cannot hold: one of them would stop every scan. */
  function withoutLongest(page: ReconcileInput): ReconcileInput {
    const most = mostIndexedBytes[parts.database.dialect];
    const files = page.files.filter(({ uri }) => uri.length <= most);
    const left = page.files.length - files.length;
    if (left === 0) return page;
    const { libraryId } = page;
    parts.log.warn(
      { libraryId, files: left },
      `Files were skipped, since PostgreSQL cannot index a URI of more than ${most} bytes.`,
    );
    return { ...page, files };
  }

  async function begin(page: ReconcileInput): Promise<Compared> {
    const { library, root } = await openPage(page);
    return compare(library, root, page);
  }

  /** The library of a page, which must lie in one of its roots. */
  async function openPage(
    page: ReconcileInput,
  ): Promise<{ readonly library: LibraryRow; readonly root: string }> {
    const library = await findLibrary(parts.database.read, page.libraryId);
    if (library === undefined) throw new KernelError('not_found', `Library ${page.libraryId}`);
    const roots = rootsOf(library);
    assertPage(page, roots);
    const root = roots.find((one) => `${page.root}/`.startsWith(`${one}/`));
    return { library, root: root ?? page.root };
  }

  /** Accepts a page that claims to be unchanged, or rejects so that it comes with its files. */
  async function passKnown(page: ReconcileInput): Promise<ReconcileResult> {
    const { library } = await openPage(page);
    if (page.files.length > 0) throw otherPage();
    const stored = await digestsOf(library, page, page.digests ?? [page.digest]);
    const files = stored.reduce((sum, one) => sum + one.files, 0);
    const counts = { ...emptyCounts(), unchanged: files };
    parts.tally.add(page.libraryId, counts);
    return { ...counts, files };
  }

  /** The stored digests of these pages that are still valid. */
  async function digestsOf(
    library: LibraryRow,
    page: ReconcileInput,
    digests: readonly (string | undefined)[],
  ): Promise<readonly PageDigest[]> {
    const stored = await parts.pageDigests.find(library.no, pageRange(page));
    const isSame = stored.every(({ digest }, at) => digest === digests[at]);
    if (stored.length !== digests.length || !isSame) throw otherPage();
    return stored;
  }

  async function settleAll(
    page: ReconcileInput,
    early: Compared,
    { losses, pace }: Required<ReconcileOptions>,
  ): Promise<ReconcileResult> {
    const { library, root } = early;
    const isTrue = early.moves === (moves.get(library.no) ?? 0);
    const { first, rest } = isTrue ? early : await compare(library, root, page);
    const counts = emptyCounts();
    const range = pageRange(page);
    // Read before the first difference invalidates the digest.
    const [before = null] = page.stretches ? await digestsOf(library, page, [page.known]) : [];
    let compared = 0;
    let isSettled = true;
    const settleOne = async (next: Difference): Promise<void> => {
      compared += next.diff.active;
      if (losses === 'doubted') await doubtLosses(library, root, next.diff);
      addCounts(counts, await settle(library, range, next));
      isSettled &&= next.diff.isSettled;
    };
    if (first) await settleOne(first);
    for await (const diff of rest) {
      await pace.waitForSlot();
      await settleOne({ diff, discoveries: await discover(library, root, diff) });
    }
    const passed = before === null ? 0 : before.files - compared;
    counts.unchanged += passed;
    const files = passed + page.files.filter(({ type }) => type !== 'auxiliary').length;
    const { digest, parts: pageParts } = page;
    if (digest !== undefined && page.unreadable.length === 0 && isSettled) {
      const pageDigest = {
        ...range,
        digest,
        files,
        ...(pageParts !== undefined && { parts: pageParts }),
      };
      await parts.pageDigests.add(library.no, pageDigest);
    }
    parts.tally.add(page.libraryId, counts);
    return before === null ? counts : { ...counts, files };
  }

  /**
   * Marks nothing as gone that an absent plugin may list, and nothing of a root, or of a folder in
   * it, that has a problem.
   */
  async function doubtLosses(library: LibraryRow, root: string, diff: PageDiff): Promise<void> {
    const doubt = parts.doubts.of(library.id);
    if (doubt) parts.tally.keep(library.id, withholdDoubtful(diff, doubt));
    if (diff.gone.length + diff.auxiliary.gone.length === 0) return;
    for (const problem of await parts.rootHealth.problemsOf(library, root)) {
      const files = withholdLosses(diff, problem.uri);
      if (files > 0 || problem.uri === root)
        parts.tally.withhold(library.id, { ...problem, files });
    }
  }

  /** Compares the page with the known files, and identifies the new files of its first stretch. */
  async function compare(
    library: LibraryRow,
    root: string,
    page: ReconcileInput,
  ): Promise<Compared> {
    const { through } = pageRange(page);
    const ranges = page.stretches && stretchesOf(page);
    const readPortion = (after: string, limit: number): Promise<readonly KnownFile[]> => {
      const asked = { libraryNo: library.no, after, limit };
      const db = parts.database.read;
      return ranges ? readRanges(db, { ...asked, ranges }) : readRange(db, { ...asked, through });
    };
    const seen = moves.get(library.no) ?? 0;
    const rest = diffPage(page, readPortion, largestDiff);
    const { value: diff } = await rest.next();
    const first = diff && { diff, discoveries: await discover(library, root, diff) };
    return { library, root, moves: seen, first: first ?? null, rest };
  }

  async function settle(
    library: LibraryRow,
    range: PageRange,
    { diff, discoveries }: Difference,
  ): Promise<PageCounts> {
    if (diffSize(diff) === 0) return { ...emptyCounts(), unchanged: diff.unchanged };
    const counts = await bringIn(library, range, { diff, discoveries });
    if (counts.moved > 0) moves.set(library.no, (moves.get(library.no) ?? 0) + counts.moved);
    return counts;
  }

  async function bringIn(
    library: LibraryRow,
    range: PageRange,
    { diff, discoveries }: Difference,
  ): Promise<PageCounts> {
    const evidence = await gatherEvidence(library.id, diff, discoveries);
    const change = { libraryNo: library.no, diff, discoveries, evidence, now: parts.now() };
    const { insertRows, write } = parts.database;
    const { entities, newId } = parts;
    const outcome = await write(async (trx) => {
      await parts.pageDigests.invalidateRange(trx, library.no, range);
      return commitPage(trx, { insertRows, entities, newId }, change);
    });
    parts.entities.learn(outcome.entityNumbers);
    for (const { type, itemId, title } of outcome.news)
      parts.emit(type, { itemId, libraryId: library.id, title });
    await parts.room(roomTimeoutMs);
    return outcome.counts;
  }

  async function discover(
    library: LibraryRow,
    root: string,
    diff: PageDiff,
  ): Promise<readonly Discovery[]> {
    const awakened = [...diff.changed, ...diff.returned].filter(
      ({ known, scanned }) =>
        known.itemNo === null &&
        (known.size !== scanned.size || known.modifiedAt !== scanned.modifiedAt),
    );
    const found = [...diff.discovered.map((scanned) => ({ scanned, known: null })), ...awakened];
    const files = found.map(({ scanned }) => ({
      path: relativePath(root, scanned.uri),
      size: scanned.size,
    }));
    const identified = await parts.identifier.identify(library, files);
    const valuesOf = createValueReader();
    return found.flatMap(({ scanned, known }, index) => {
      const answer = identified[index];
      if (answer === undefined) return [];
      const values = valuesOf(answer.identification, answer.pluginId);
      return [{ scanned, known, name: fileName(scanned.uri), identified: answer, values }];
    });
  }

  return reconcile;
}
