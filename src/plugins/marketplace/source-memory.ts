/**
 * The permanent memory about sources, which stays when a source is removed: the sequence of each
 * index, every revoked package and key, and every replaced key. Without it an old signed index
 * would be valid forever: a host could hide a revocation, or undo it when the source is added
 * again. Only the index that revoked something can withdraw it, with a higher sequence.
 */
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import {
  departureOf,
  indexDigest,
  isFromTheFuture,
  isRotation,
  leadsTo,
  type KeyRotation,
  type MarketplaceIndex,
} from '../../../kernel/run/packages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { changedRevocations } from './revocations.ts';
import * as store from './memory-store.ts';
import type { SeenIndex, SeenRevocation, SeenRotation } from './memory-store.ts';

/** An index that may be accepted, unless a later one is accepted meanwhile. */
export interface Admission {
  readonly index: MarketplaceIndex;
  /** The keys that signed the same index before. */
  readonly earlierKeys: readonly string[];
  /** New records. */
  readonly rotations: readonly SeenRotation[];
}

/** The memory of a server. */
export type SourceMemory = ReturnType<typeof createSourceMemory>;

/** The most records of one source that a server stores. */
const mostRevocations = 20_000;
const mostRotations = 1000;

/** Creates it, empty until it is opened. */
export function createSourceMemory(parts: {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { database, clock } = parts;
  let revocations: readonly SeenRevocation[] = [];
  let rotations: readonly SeenRotation[] = [];
  let indexes: readonly SeenIndex[] = [];
  /** For each replaced key the record that was seen first. */
  const records = (): readonly KeyRotation[] => rotations.map(({ record }) => record);

  let lastReading = 0;

  /**
   * Loads the state; again when another server may have changed it. Of two concurrent loads the
   * later one counts.
   */
  async function open(): Promise<void> {
    const reading = (lastReading += 1);
    const found = await Promise.all([
      store.listIndexes(database.read),
      store.listRevocations(database.read),
      store.listRotations(database.read),
    ]);
    if (reading === lastReading) [indexes, revocations, rotations] = found;
  }

  /** Throws `INDEX_INVALID` or `PUBLISHER_CHANGED` for an index that must be refused. */
  const admit = async (index: MarketplaceIndex): Promise<Admission> => {
    const { publisherKey, indexId, updatedAt } = index;
    const departure = await departureOf(publisherKey, records());
    if (departure)
      throw new AppError('PUBLISHER_CHANGED', {
        what: `The index is signed with ${publisherKey}, a key that was replaced by ${departure.to}.`,
      });
    if (isFromTheFuture(index, clock.now()))
      throw invalid(
        `The index has the date ${updatedAt}, which is in the future: a clock is wrong.`,
      );
    const fresh = await freshRotations(index);
    const all = [...records(), ...fresh];
    const earlierKeys: string[] = [];
    for (const { sourceKey } of indexes.filter((one) => one.indexId === indexId))
      if (sourceKey !== publisherKey && (await leadsTo(sourceKey, publisherKey, all)))
        earlierKeys.push(sourceKey);
    const seen = fresh.map((record) => ({ sourceKey: publisherKey, record }));
    return { index, earlierKeys, rotations: seen };
  };

  async function freshRotations(index: MarketplaceIndex): Promise<readonly KeyRotation[]> {
    const known = new Set(records().map(({ from }) => from));
    const unknown = (index.rotations ?? []).filter(({ from }) => !known.has(from));
    const good = await Promise.all(unknown.map(isRotation));
    return unknown.filter((_, at) => good[at]);
  }

  /**
   * Stores it, in the transaction that accepts it. Throws `INDEX_INVALID` for one that is too old
   * by then.
   */
  const keep = async (
    trx: Transaction,
    { index, earlierKeys, rotations: fresh }: Admission,
  ): Promise<void> => {
    const { publisherKey: sourceKey, indexId, sequence } = index;
    const keys = new Set([sourceKey, ...earlierKeys]);
    const isOfIt = (one: { readonly sourceKey: string; readonly indexId: string }): boolean =>
      one.indexId === indexId && keys.has(one.sourceKey);
    const digest = indexDigest(index);
    const before = (await store.listIndexes(trx)).filter(isOfIt);
    for (const seen of before) assertLater({ sequence, digest }, seen);
    const said = (await store.listRevocations(trx)).filter(isOfIt);
    const changed = changedRevocations(index, said);
    const added = changed.filter(({ isLifted }) => !isLifted).length;
    const known = (await store.listRotations(trx)).filter((one) => keys.has(one.sourceKey));
    if (said.length + added > mostRevocations || known.length + fresh.length > mostRotations)
      throw invalid(
        `A source may have at most ${mostRevocations} revocations and ${mostRotations} rotations; this one has more.`,
      );
    for (const key of keys)
      await store.putIndex(trx, { sourceKey: key, indexId, sequence, digest });
    await store.putRevocations(database, trx, changed);
    await store.addRotations(database, trx, fresh);
  };

  return {
    open,
    revocations: (): readonly SeenRevocation[] => revocations,
    rotations: records,
    admit,
    keep,
    /** Stores revocations for installed packages. */
    add: async (seen: readonly SeenRevocation[]): Promise<void> => {
      if (seen.length === 0) return;
      await database.write((trx) => store.putRevocations(database, trx, seen));
      await open();
    },
  };
}

function assertLater(
  { sequence, digest }: Pick<SeenIndex, 'sequence' | 'digest'>,
  seen: SeenIndex,
): void {
  if (sequence < seen.sequence)
    throw invalid(
      `Its index has the sequence ${sequence}, but ${seen.sequence} was seen before: it is outdated.`,
    );
  if (sequence === seen.sequence && digest !== seen.digest)
    throw invalid(
      `Its index has the sequence ${sequence} of an earlier one, but different content.`,
    );
}

const invalid = (what: string): AppError => new AppError('INDEX_INVALID', { what });
