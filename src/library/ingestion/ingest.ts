import { isOutage, type Log } from '../../../kernel/index.ts';
import type {
  IngestedItem,
  IngestOutcome,
  Ingests,
  IngestSubject,
} from '../catalogue/commit/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import type { RetryQueue } from '../matching/index.ts';
import { toIngestedItem } from './ingested-item.ts';
import type { HowToAsk } from './full-indexing.ts';
import type { ItemChains } from './item-chains.ts';
import type { EmitPipelineEvent, PipelineEvents, PipelineStep } from './pipeline-events.ts';
import type { Probing } from './probing.ts';
import type { ProbedSubject } from './subject-bundle.ts';
import type { ResolveMetadata, ResolvedItem } from './metadata-resolver.ts';

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

/** Takes a batch of items through the pipeline: probe, hooks, indexers, hooks, commit. */
export type Ingest = (
  library: LibraryRow,
  itemNumbers: readonly number[],
  how: HowToAsk,
) => Promise<BatchCounts>;

export interface IngestParts {
  readonly ingests: Ingests;
  readonly probing: Probing;
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

const gaveUp = {
  code: 'not-stored',
  message: 'The result of its ingest could not be stored.',
} as const;
const itemsHeld = 8;
const noPaths: ReadonlyMap<string, string> = new Map();

export function createIngest(parts: IngestParts): Ingest {
  const { ingests, probing, chains, resolveMetadata, events, emit, stopwatch } = parts;

  async function ingest(
    library: LibraryRow,
    itemNumbers: readonly number[],
    how: HowToAsk,
  ): Promise<BatchCounts> {
    const subjects = await ingests.read(library, itemNumbers);
    if (!chains.needsLocalFiles()) return take(library, subjects, { ...how, localPaths: noPaths });
    // Files may have to be fetched, so only a few at a time are on this machine.
    let counts = noCounts;
    for (let at = 0; at < subjects.length; at += itemsHeld)
      counts = addCounts(counts, await hold(library, subjects.slice(at, at + itemsHeld), how));
    return counts;
  }

  /** Keeps the files on this machine from before the first hook to after the commit. */
  async function hold(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    how: HowToAsk,
  ): Promise<BatchCounts> {
    const uris = subjects.flatMap(({ files }) => files.map(({ uri }) => uri));
    let isHeld = false;
    try {
      return await parts.withLocalFiles(uris, (paths) => {
        isHeld = true;
        return take(library, subjects, { ...how, localPaths: paths });
      });
    } catch (cause) {
      if (isHeld) throw cause;
      parts.log.warn({ files: uris.length, err: cause }, 'Hooks run without local files');
      return take(library, subjects, { ...how, localPaths: noPaths });
    }
  }

  async function take(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    { localPaths, asks }: HowToAsk & { readonly localPaths: ReadonlyMap<string, string> },
  ): Promise<BatchCounts> {
    if (subjects.length === 0) return noCounts;
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
      Promise.all([probe(library, subjects, localPaths), fingerprint(subjects)]),
    );
    events.enters(items, 'identifying');
    const resolved = await step('identify', () => resolveMetadata(library, probed, { asks }));
    const ingested = resolved.flatMap((one, at) => {
      const item = probed[at];
      return item === undefined ? [] : [toIngestedItem(item, one, prints)];
    });
    await noteRetries(library, subjects, resolved);
    const outcome = await step('commit', () => commit(ingested));
    await noteLookedUp(library, subjects, resolved, outcome);
    return tell(library, subjects, ingested, outcome);
  }

  /**
   * Retries are recorded before the item is stored, so that a crash between the two causes a
   * superfluous retry and never a missing one.
   */
  async function noteRetries(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    resolved: readonly ResolvedItem[],
  ): Promise<void> {
    const items = subjects.map(({ id }, at) => ({
      itemId: id,
      retry: resolved[at]?.retry ?? null,
    }));
    await parts.retryQueue.note(
      library.id,
      items.filter(({ retry }) => retry !== null),
    );
  }

  async function noteLookedUp(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    resolved: readonly ResolvedItem[],
    { settled }: CommitOutcome,
  ): Promise<void> {
    const isSettled = new Set(settled);
    const asked = subjects.filter(
      ({ no }, at) => isSettled.has(no) && resolved[at]?.retry === null,
    );
    await parts.retryQueue.note(
      library.id,
      asked.map(({ id }) => ({ itemId: id, retry: null })),
    );
  }

  async function probe(
    library: LibraryRow,
    subjects: readonly IngestSubject[],
    localPaths: ReadonlyMap<string, string>,
  ): Promise<readonly ProbedSubject[]> {
    const ends = await probing.probe(
      library,
      subjects.flatMap((subject) => subject.files),
    );
    let at = 0;
    return subjects.map((subject) => {
      const own = ends.slice(at, at + subject.files.length);
      at += subject.files.length;
      return { subject, ends: own, localPaths };
    });
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
