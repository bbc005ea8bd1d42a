import { isOutage, type Log } from '../../../kernel/index.ts';
import type {
  Identifier,
  IngestedItem,
  IngestOutcome,
  Ingests,
  IngestSubject,
} from '../catalogue/commit/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import type { LookupEnding, LookupResult, RetryQueue } from '../matching/index.ts';
import { filesToProbe, placeDiscs } from './discs.ts';
import type { HowToAsk } from './full-indexing.ts';
import { toIngestedItem } from './ingested-item.ts';
import type { ItemChains } from './item-chains.ts';
import type { EmitPipelineEvent, PipelineEvents, PipelineStep } from './pipeline-events.ts';
import type { Probing } from './probing.ts';
import type { ProbedSubject } from './subject-bundle.ts';
import type { ResolveMetadata } from './metadata-resolver.ts';

/** The results of a batch, in items. */
export interface BatchCounts {
  readonly settled: number;
  /** Of these, items with a file that could not be read. */
  readonly failed: number;
  readonly enriched: number;
}

export const noCounts: BatchCounts = { settled: 0, failed: 0, enriched: 0 };

export function addCounts(sum: BatchCounts, counts: BatchCounts): BatchCounts {
  return {
    settled: sum.settled + counts.settled,
    failed: sum.failed + counts.failed,
    enriched: sum.enriched + counts.enriched,
  };
}

/**
 * Takes a batch of items through the pipeline: probe, hooks, indexers, hooks, commit. With a source it
 * looks them up there: what else is known of them is merged again.
 */
export type Ingest = (
  library: LibraryRow,
  itemNumbers: readonly number[],
  source?: string | null,
) => Promise<BatchEnd>;

export interface BatchEnd extends BatchCounts {
  /** The source is unavailable. */
  readonly isAway: boolean;
}

export interface IngestParts {
  readonly ingests: Ingests;
  readonly probing: Probing;
  readonly identifier: Pick<Identifier, 'name'>;
  readonly chains: Pick<ItemChains, 'needsLocalFiles'>;
  readonly resolveMetadata: ResolveMetadata;
  /** Sampled hashes of files by URI; files that cannot be read are left out. */
  readonly fingerprints: (uris: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Makes the files available on this machine while the work runs. */
  readonly withLocalFiles: <T>(
    uris: readonly string[],
    work: (paths: ReadonlyMap<string, string>) => Promise<T>,
  ) => Promise<T>;
  /** Records the items that indexers could not look up, for a retry. */
  readonly retryQueue: Pick<RetryQueue, 'note'>;
  readonly events: PipelineEvents;
  readonly emit: EmitPipelineEvent;
  /** Milliseconds; only differences count. */
  readonly stopwatch: () => number;
  readonly log: Log;
}

type CommitOutcome = Pick<IngestOutcome, 'settled' | 'enriched'>;

/** An attempt to ingest some items. */
interface Attempt extends HowToAsk {
  /** What was recorded of their look-ups before. */
  readonly noted: Set<string>;
}

/** The end of an attempt. */
interface Taken extends BatchEnd {
  /** Numbers of the items that were changed by others meanwhile. */
  readonly left: readonly number[];
}

const nothingTaken: Taken = { ...noCounts, isAway: false, left: [] };

const gaveUp = {
  code: 'not-stored',
  message: 'The result of its ingest could not be stored.',
} as const;
const itemsHeld = 8;
/** How often a look-up is merged again where others changed its items meanwhile. */
const mostAttempts = 5;
const noPaths: ReadonlyMap<string, string> = new Map();

export function createIngest(parts: IngestParts): Ingest {
  const { ingests, probing, chains, resolveMetadata, events, emit, stopwatch } = parts;

  async function ingest(
    library: LibraryRow,
    itemNumbers: readonly number[],
    source: string | null = null,
  ): Promise<BatchEnd> {
    const attempt = { source, told: new Map(), noted: new Set<string>() };
    let end: Taken = { ...noCounts, isAway: false, left: itemNumbers };
    if (source === null) return ingestOnce(library, itemNumbers, attempt);
    for (let tries = 0; end.left.length > 0 && tries < mostAttempts; tries += 1) {
      await ingests.markToLookUp(end.left);
      const next = await ingestOnce(library, end.left, attempt);
      end = { ...next, ...addCounts(end, next), isAway: end.isAway || next.isAway };
    }
    await noteAll(library, end.left, { source, ending: 'busy' });
    return end;
  }

  async function ingestOnce(
    given: LibraryRow,
    itemNumbers: readonly number[],
    attempt: Attempt,
  ): Promise<Taken> {
    const read = await ingests.read(given, itemNumbers);
    // Read after the items: a change of its sources that came later has marked them again.
    const library = await ingests.library(given.id);
    if (library === undefined) return nothingTaken;
    const subjects = await withoutOthers(library, itemNumbers, read, attempt);
    if (!chains.needsLocalFiles()) return take(library, subjects, { ...attempt, paths: noPaths });
    // Files may have to be fetched, so only a few at a time are on this machine.
    const ends: Taken[] = [];
    for (let at = 0; at < subjects.length; at += itemsHeld)
      ends.push(await hold(library, subjects.slice(at, at + itemsHeld), attempt));
    return {
      ...ends.reduce(addCounts, noCounts),
      isAway: ends.length > 0 && ends.every(({ isAway }) => isAway),
      left: ends.flatMap(({ left }) => left),
    };
  }

  /** The items to look up: not those that wait for an ingest that asks all, or that have no file. */
  async function withoutOthers(
    library: LibraryRow,
    itemNumbers: readonly number[],
    read: readonly IngestSubject[],
    { source }: Attempt,
  ): Promise<readonly IngestSubject[]> {
    if (source === null) return read;
    const there = new Set(read.map(({ no }) => no));
    const gone = itemNumbers.filter((no) => !there.has(no));
    const waiting = read.filter(({ asks }) => asks).map(({ no }) => no);
    await noteAll(library, gone, { source, ending: 'nothing' });
    await noteAll(library, waiting, { source, ending: 'busy' });
    return read.filter(({ asks }) => !asks);
  }

  async function noteAll(
    library: LibraryRow,
    itemNumbers: readonly number[],
    { source, ending }: { readonly source: string; readonly ending: LookupEnding },
  ): Promise<void> {
    if (itemNumbers.length === 0) return;
    const ids = await ingests.idsOf(itemNumbers);
    await parts.retryQueue.note(
      library.id,
      ids.map((itemId) => ({ itemId, pluginId: source, ending })),
    );
  }

  /** Keeps the files on this machine from before the first hook to after the commit. */
  async function hold(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    attempt: Attempt,
  ): Promise<Taken> {
    const uris = subjects.flatMap(({ files }) => files.map(({ uri }) => uri));
    let isHeld = false;
    try {
      return await parts.withLocalFiles(uris, (paths) => {
        isHeld = true;
        return take(library, subjects, { ...attempt, paths });
      });
    } catch (cause) {
      if (isHeld) throw cause;
      parts.log.warn({ files: uris.length, err: cause }, 'Hooks run without local files');
      return take(library, subjects, { ...attempt, paths: noPaths });
    }
  }

  async function take(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    { paths, ...attempt }: Attempt & { readonly paths: ReadonlyMap<string, string> },
  ): Promise<Taken> {
    if (subjects.length === 0) return nothingTaken;
    const items = { libraryId: library.id, itemIds: subjects.map(({ id }) => id) };
    const step = async <T>(which: PipelineStep, work: () => Promise<T>): Promise<T> => {
      events.stepStarts(items, which);
      const startedAt = stopwatch();
      const result = await work();
      events.stepEnds(items, which, Math.round(stopwatch() - startedAt));
      return result;
    };
    events.enters(items, 'probing');
    const [probed, prints] = await step('probe', () =>
      Promise.all([probe(library, subjects, paths), fingerprint(subjects)]),
    );
    events.enters(items, 'identifying');
    const resolved = await step('identify', () => resolveMetadata(library, probed, attempt));
    const ingested = resolved.flatMap((one, at) => {
      const item = probed[at];
      return item === undefined ? [] : [toIngestedItem(item, one, prints)];
    });
    const lookups = subjects.flatMap(({ no, id }, at) =>
      [...(resolved[at]?.lookups ?? [])].map(([pluginId, ending]) => ({
        no,
        itemId: id,
        pluginId,
        ending,
      })),
    );
    await noteWaiting(library, lookups, attempt);
    const outcome = await step('commit', () => commit(ingested));
    const settled = new Set(outcome.settled);
    await noteLookedUp(
      library,
      lookups.filter(({ no }) => settled.has(no)),
    );
    const ofSource = lookups.filter(({ pluginId }) => pluginId === attempt.source);
    return {
      ...tell(library, subjects, ingested, outcome),
      isAway: ofSource.length > 0 && ofSource.every(({ ending }) => ending === 'away'),
      left: subjects.flatMap(({ no }) => (settled.has(no) ? [] : [no])),
    };
  }

  /**
   * What waits is recorded before the item is stored, so that a crash between the two causes a
   * superfluous question and never a missing one. A further attempt is not a further try.
   */
  async function noteWaiting(
    library: LibraryRow,
    lookups: readonly LookupResult[],
    { noted }: Attempt,
  ): Promise<void> {
    const waiting = lookups.filter(
      (one) => !isDone(one) && !noted.has(`${one.pluginId}\n${one.itemId}`),
    );
    for (const { pluginId, itemId } of waiting) noted.add(`${pluginId}\n${itemId}`);
    if (waiting.length > 0) await parts.retryQueue.note(library.id, waiting);
  }

  async function noteLookedUp(
    library: LibraryRow,
    lookups: readonly LookupResult[],
  ): Promise<void> {
    const done = lookups.filter(isDone);
    if (done.length > 0) await parts.retryQueue.note(library.id, done);
  }

  async function probe(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    localPaths: ReadonlyMap<string, string>,
  ): Promise<readonly ProbedSubject[]> {
    const ends = await probing.probe(library, subjects.flatMap(filesToProbe));
    let at = 0;
    const probed = subjects.map((subject) => {
      const own = ends.slice(at, at + subject.files.length);
      at += subject.files.length;
      return { subject, ends: own, localPaths };
    });
    return placeDiscs(library, probed, parts.identifier);
  }

  async function fingerprint(
    subjects: readonly IngestSubject[],
  ): Promise<ReadonlyMap<string, string>> {
    const unknown = subjects.flatMap(({ files }) =>
      files.flatMap((file) => (file.fingerprint === null ? [file.uri] : [])),
    );
    return unknown.length === 0 ? noPaths : parts.fingerprints(unknown);
  }

  /**
   * A batch that cannot be written is written item by item; an item that still fails is given up.
   */
  async function commit(items: readonly IngestedItem[]): Promise<CommitOutcome> {
    try {
      return await ingests.commit(items);
    } catch (cause) {
      const [first, ...others] = items;
      if (first === undefined || isOutage(cause)) throw cause;
      if (others.length === 0) {
        parts.log.error(
          { itemNo: first.no, err: cause },
          'The result of an ingest could not be stored',
        );
        await ingests.giveUp(first.files, gaveUp);
        return { settled: [first.no], enriched: [] };
      }
      const outcomes: CommitOutcome[] = [];
      for (const item of items) outcomes.push(await commit([item]));
      return {
        settled: outcomes.flatMap(({ settled }) => settled),
        enriched: outcomes.flatMap(({ enriched }) => enriched),
      };
    }
  }

  const isDone = ({ ending }: LookupResult): boolean => ending === 'asked' || ending === 'nothing';

  function tell(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    ingested: readonly IngestedItem[],
    outcome: CommitOutcome,
  ): BatchCounts {
    const libraryId = library.id;
    for (const { itemId, title } of outcome.enriched)
      emit('library.item.enriched', { itemId, libraryId, title });
    const settled = new Set(outcome.settled);
    let failed = 0;
    for (const [at, item] of ingested.entries()) {
      if (!settled.has(item.no)) continue;
      const isFailed = item.files.some(({ error }) => error !== null);
      if (isFailed) failed += 1;
      const { id } = subjects[at] ?? {};
      if (id !== undefined) events.leaves(libraryId, id, isFailed ? 'failed' : 'completed');
    }
    return { settled: settled.size, failed, enriched: outcome.enriched.length };
  }

  return ingest;
}
