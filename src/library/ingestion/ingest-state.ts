import { AppError } from '../../platform/errors.ts';
import { noCounts, type BatchCounts } from './ingest.ts';

/** The state of an ingest, stored between two steps. The waiting files are marked in their rows. */
export interface IngestState {
  readonly counts: BatchCounts;
  /** How many files waited at the start. */
  readonly waiting: number;
  /** Items up to this number are done in the current round. */
  readonly after: number;
  /** Items that were settled in this round. */
  readonly inRound: number;
  /** Consecutive rounds in which nothing was settled, because all items changed meanwhile. */
  readonly idleRounds: number;
  /** Numbers of the items to ingest; null = all that wait. */
  readonly only: readonly number[] | null;
  /** Files of items up to this number are grouped again, before the ingest; null = all that shall be. */
  readonly grouped: number | null;
}

/** The state in a checkpoint; null when there is none, so that the job starts. */
export function parseIngestState(checkpoint: unknown): IngestState | null {
  if (!isMap(checkpoint) || !isMap(checkpoint['counts'])) return null;
  const { counts, waiting, after, inRound, idleRounds, only, grouped } = checkpoint;
  const { settled, failed, enriched } = isMap(counts) ? counts : {};
  return {
    counts: { settled: count(settled), failed: count(failed), enriched: count(enriched) },
    waiting: count(waiting),
    after: count(after),
    inRound: count(inRound),
    idleRounds: count(idleRounds),
    only: Array.isArray(only) ? only.map(count) : null,
    grouped: typeof grouped === 'number' ? count(grouped) : null,
  };
}

/** The state of a new job. */
export function beginIngest(waiting: number, only: readonly number[] | null): IngestState {
  return { counts: noCounts, waiting, after: 0, inRound: 0, idleRounds: 0, only, grouped: null };
}

const mostItems = 1000;

/** The items of a refresh; null = the whole library. */
export function parseItemIds(payload: Readonly<Record<string, unknown>>): readonly string[] | null {
  const { itemIds } = payload;
  if (itemIds === undefined) return null;
  const ids: readonly unknown[] = Array.isArray(itemIds) ? itemIds : [];
  const isList = ids.length > 0 && ids.length <= mostItems;
  if (isList && ids.every((id) => typeof id === 'string')) return ids;
  const what = `payload.itemIds must be a list of 1 to ${mostItems} ids of items.`;
  throw new AppError('invalid_request', { what });
}

/** Whether a refresh asks sources on the network again, or merges what they said before. */
export function parseAsks(payload: Readonly<Record<string, unknown>>): boolean {
  const { network = 'ask' } = payload;
  if (network === 'ask' || network === 'keep') return network === 'ask';
  throw new AppError('invalid_request', { what: 'payload.network must be "ask" or "keep".' });
}

/** The one source that a refresh asks; `null` = it asks all, or none. */
export function parseSource(payload: Readonly<Record<string, unknown>>): string | null {
  const { source, itemIds } = payload;
  if (source === undefined) return null;
  if (typeof source === 'string' && source !== '' && itemIds !== undefined) return source;
  const what = 'payload.source must be the id of a plugin, and payload.itemIds must name items.';
  throw new AppError('invalid_request', { what });
}

/** Whether a refresh probes media again, or keeps the stored reports. */
export function parseReads(payload: Readonly<Record<string, unknown>>): boolean {
  const { media = 'read' } = payload;
  if (media === 'read' || media === 'keep') return media === 'read';
  throw new AppError('invalid_request', { what: 'payload.media must be "read" or "keep".' });
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
