/**
 * A scan, one step of about half a second at a time. Pages are reconciled in their order, two of
 * them in flight while the next is listed, and a cursor is stored only when its page is reconciled.
 * Reconciling a page twice changes nothing; so a scan that is killed at any point resumes and ends
 * with the same library.
 */
import type {
  FileListing,
  FileProblem,
  Handler,
  Host,
  JobRunInput,
  JobRunResult,
  ReconcileResult,
  ScannedFile,
} from '../../plugin-api/index.ts';
import { listPlace, placeProblem, type Listed, type PlaceListing } from './list-place.ts';
import { createKnownPages, type KnownPage, type KnownPages } from './known-pages.ts';
import { createMediaFilter, type MediaFilter } from './media-filter.ts';
import {
  afterFailedRoot,
  atNextRoot,
  parseScanCheckpoint,
  withPage,
  withProblems,
  type ScanCheckpoint,
} from './scan-checkpoint.ts';
import { parseScanPlan, type ScanPlace, type ScanPlan } from './scan-plan.ts';

const pageSize = 1000;
const pagesUnderWay = 3;
const stepMs = 500;

/** A page that is being reconciled, and the state of the scan after it. */
interface UnderWay {
  readonly passed: ScanCheckpoint;
  readonly arrival: Promise<Arrival>;
}

/** Runs one step of a scan. */
export const runScan: Handler<JobRunInput, JobRunResult> = async (input, host) => {
  const scan = toScan(input, host);
  const endsAt = performance.now() + stepMs;
  const underWay: UnderWay[] = [];
  let state = parseScanCheckpoint(input.checkpoint);
  let ahead = state;
  let listed: Promise<Listed> | null = isOver(scan, ahead) ? null : list(scan, ahead);
  for (;;) {
    if (listed && underWay.length < pagesUnderWay) {
      const page = await listed;
      const passed = pagePassed(scan, ahead, page);
      underWay.push({ passed, arrival: bringIn(scan, ahead, page) });
      ahead = passed;
      const goesOn = page.kind !== 'failed' && performance.now() < endsAt;
      listed = goesOn && !isOver(scan, ahead) ? list(scan, ahead) : null;
      continue;
    }
    const first = underWay.shift();
    if (!first) return resultOf(scan.plan, state);
    const arrival = await first.arrival;
    if (arrival.kind === 'in') {
      state = withPage({ ...first.passed, counts: state.counts }, arrival.files, arrival.result);
      continue;
    }
    await Promise.all(underWay.map((other) => other.arrival));
    if (arrival.kind === 'failed') throw arrival.error;
    state = afterFailedRoot(state, arrival.problem.uri, arrival.problem);
    return resultOf(scan.plan, state);
  }
};

const isOver = ({ plan }: Scan, { root }: ScanCheckpoint): boolean =>
  plan.places[root] === undefined;

interface Scan {
  readonly libraryId: string;
  readonly plan: ScanPlan;
  readonly filter: MediaFilter;
  readonly host: Host;
  readonly known: KnownPages;
}

function toScan({ libraryId, payload }: JobRunInput, host: Host): Scan {
  if (libraryId === null) {
    const message = 'A scan needs the library that it is for (libraryId).';
    throw Object.assign(new Error(message), { code: 'invalid_argument' });
  }
  const plan = parseScanPlan(payload);
  const known = createKnownPages(host, libraryId, plan);
  return { libraryId, plan, filter: createMediaFilter(plan), host, known };
}

async function list(scan: Scan, state: ScanCheckpoint): Promise<Listed> {
  const place = scan.plan.places[state.root];
  if (place === undefined) return { kind: 'failed', error: new Error('The place does not exist.') };
  const { findRun, findWithParts } = scan.known;
  const parted = state.differs ? await findWithParts(place, state) : undefined;
  const run = parted ? [parted] : await findRun(place, state);
  const listed = await listAnew(scan, place, state.cursor, run);
  if (listed.kind !== 'page' || !listed.page.wantsParts || listed.page.isKnown) return listed;
  const again = await findWithParts(place, state);
  return listAnew(scan, place, state.cursor, again && again.parts !== null ? [again] : []);
}

function listAnew(
  { filter, host }: Scan,
  place: ScanPlace,
  cursor: string | null,
  known: readonly KnownPage[] = [],
): Promise<Listed> {
  const { extensions } = filter;
  return listPlace(host, place, { cursor, limit: pageSize, extensions, known });
}

/** The state of the scan after a page, except for the result of the page. */
function pagePassed({ plan }: Scan, state: ScanCheckpoint, listed: Listed): ScanCheckpoint {
  if (listed.kind === 'failed') return state;
  if (listed.kind === 'unreachable') {
    return afterFailedRoot(state, plan.places[state.root]?.uri ?? '', listed.problem);
  }
  const { cursor, problems, progress = 0, isKnown, wantsParts } = listed.page;
  const differs = !isKnown || wantsParts === true;
  const passed = { ...withProblems(state, problems), differs };
  if (cursor === null) return atNextRoot(passed);
  const unreadable = stillAhead(unreadableSoFar(plan, state, listed.page), cursor);
  return { ...passed, cursor, progress, unreadable };
}

const unreadableCodes: ReadonlySet<FileProblem['code']> = new Set([
  'unreadable',
  'too-deep',
  'other',
]);

const mostUnreadable = 1000;

/** Places with unknown content; if they are too many to name, the whole root. */
function unreadableSoFar(
  { places }: ScanPlan,
  state: ScanCheckpoint,
  { problems, untouched }: PlaceListing,
): readonly string[] {
  const now = problems.filter(({ code }) => unreadableCodes.has(code)).map(({ uri }) => uri);
  const all = [...new Set([...state.unreadable, ...now, ...untouched])];
  const place = places[state.root];
  return all.length > mostUnreadable && place ? [place.uri] : all;
}

/** Places with content that sorts after the cursor. `0` is the character after `/`. */
const stillAhead = (uris: readonly string[], cursor: string): readonly string[] =>
  uris.filter((uri) => `${uri}0` > cursor);

/** The result of a page; `vanished`: its root no longer exists. */
type Arrival =
  | { readonly kind: 'in'; readonly files: number; readonly result: ReconcileResult }
  | { readonly kind: 'vanished'; readonly problem: FileProblem }
  | { readonly kind: 'failed'; readonly error: unknown };

const nothingChanged: ReconcileResult = { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };

/** Never rejects: the result of a page may be awaited late. */
async function bringIn(scan: Scan, state: ScanCheckpoint, listed: Listed): Promise<Arrival> {
  if (listed.kind === 'failed') return listed;
  if (listed.kind === 'unreachable') return { kind: 'in', files: 0, result: nothingChanged };
  const { libraryId, plan, filter, host, known } = scan;
  const { page } = listed;
  const place = plan.places[state.root];
  if (place === undefined) return { kind: 'failed', error: new Error('The place does not exist.') };
  try {
    const problem = await vanishedRoot(scan, place.root, page);
    if (problem) return { kind: 'vanished', problem };
    const files = page.entries.flatMap((file) => filter.take(place.root, file) ?? []);
    const unreadable = unreadableSoFar(plan, state, page);
    const digest = unreadable.length === 0 ? known.digestOf(place, page.digest) : undefined;
    const before = page.known?.flatMap((one) => known.digestOf(place, one) ?? []) ?? [];
    const result = await host.library.reconcile({
      libraryId,
      root: place.uri,
      after: state.cursor,
      through: page.cursor,
      files,
      unreadable,
      ...(digest !== undefined && { digest }),
      ...(page.isKnown && { isKnown: true }),
      ...(page.isKnown && digest !== undefined && before.length > 1 && { digests: before }),
      ...(digest !== undefined && page.parts !== undefined && { parts: page.parts }),
      ...(page.stretches && { stretches: page.stretches }),
      ...(page.stretches && before[0] !== undefined && { known: before[0] }),
    });
    return { kind: 'in', files: result.files ?? files.filter(isMedia).length, result };
  } catch (error) {
    const isWhole = !page.isKnown && !page.stretches;
    if (isWhole || !isConflict(error)) return { kind: 'failed', error };
    return bringInAnew(scan, state, page.cursor);
  }
}

/** The pages up to the end of a known one that the library no longer agrees with, with all files. */
async function bringInAnew(
  scan: Scan,
  state: ScanCheckpoint,
  through: string | null,
): Promise<Arrival> {
  const place = scan.plan.places[state.root];
  if (place === undefined) return { kind: 'failed', error: new Error('The place does not exist.') };
  let all: BroughtIn = { kind: 'in', files: 0, result: nothingChanged };
  for (let { cursor } = state; ;) {
    const listed = await listAnew(scan, place, cursor);
    const arrival = await bringIn(scan, { ...state, cursor }, listed);
    if (arrival.kind !== 'in') return arrival;
    all = together(all, arrival);
    cursor = listed.kind === 'page' ? listed.page.cursor : null;
    if (cursor === null || (through !== null && cursor >= through)) return all;
  }
}

type BroughtIn = Extract<Arrival, { readonly kind: 'in' }>;

const together = (one: BroughtIn, other: BroughtIn): BroughtIn => ({
  kind: 'in',
  files: one.files + other.files,
  result: {
    added: one.result.added + other.result.added,
    changed: one.result.changed + other.result.changed,
    moved: one.result.moved + other.result.moved,
    gone: one.result.gone + other.result.gone,
    unchanged: one.result.unchanged + other.result.unchanged,
  },
});

const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'conflict';

const isMedia = ({ type }: ScannedFile): boolean => type !== 'auxiliary';

/**
 * Folders that have just vanished may have been removed, or their disk was: then the root is gone
 * too, or empty, and nothing is reported about its files.
 */
async function vanishedRoot(
  { host }: Scan,
  root: string,
  page: FileListing,
): Promise<FileProblem | null> {
  if (!page.problems.some(({ code }) => code === 'not-found')) return null;
  try {
    const { entries } = await host.fs.list({ uri: root, limit: 1 });
    if (entries.length > 0) return null;
    return { uri: root, code: 'not-found', message: 'The root became empty during the scan.' };
  } catch (error) {
    const problem = placeProblem(root, error);
    if (problem) return problem;
    throw error;
  }
}

function resultOf({ places }: ScanPlan, state: ScanCheckpoint): JobRunResult {
  if (places[state.root] !== undefined) {
    const progress = Math.min(1, (state.root + state.progress) / places.length);
    return { done: false, checkpoint: state, progress };
  }
  const { counts, problems, problemCount, failedRoots } = state;
  if (failedRoots.length === places.length) throw nothingReached(problems);
  return { done: true, result: { ...counts, problems, problemCount, failedRoots } };
}

function nothingReached(problems: readonly FileProblem[]): Error {
  const reasons = problems.map(({ uri, message }) => `${uri}: ${message}`).slice(0, 5);
  const message = `No root of the library could be read. ${reasons.join(' ')}`;
  return Object.assign(new Error(message), { code: 'unreadable' });
}
