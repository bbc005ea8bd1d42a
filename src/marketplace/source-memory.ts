/**
 * What a server never forgets of its sources, also after one was removed: how far each index had come, every
 * package and key that was revoked, and every key that was left. Without it an index that was signed once
 * would be good for ever: whoever serves it could hide a revocation, or undo it by having the source added
 * again. Only the index that revoked something takes that back, with a higher sequence.
 */
import {
  departureOf,
  indexDigest,
  isFromTheFuture,
  isRotation,
  leadsTo,
  type Database,
  type KeyRotation,
  type MarketplaceIndex,
  type Transaction,
} from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { changedRevocations } from './revocations.ts';
import * as store from './memory-store.ts';
import type { SeenIndex, SeenRevocation, SeenRotation } from './memory-store.ts';

/** An index that may be taken, if nobody takes a later one meanwhile. */
export interface Admission {
  readonly index: MarketplaceIndex;
  /** The keys that signed the same index before, oldest last or not at all. */
  readonly earlierKeys: readonly string[];
  /** Records that were not known. */
  readonly rotations: readonly SeenRotation[];
}

/** The memory of a server. */
export interface SourceMemory {
  /** Reads what was kept; again when another server may have changed it. */
  readonly open: () => Promise<void>;
  readonly revocations: () => readonly SeenRevocation[];
  /** Of each key that was left the first record that was seen. */
  readonly rotations: () => readonly KeyRotation[];
  /** Throws `INDEX_INVALID` or `PUBLISHER_CHANGED` for an index that must not be taken. */
  readonly admit: (index: MarketplaceIndex) => Promise<Admission>;
  /** Keeps it, in the transaction that takes it. Throws `INDEX_INVALID` for one that is too old by then. */
  readonly keep: (trx: Transaction, admission: Admission) => Promise<void>;
  /** Keeps what follows for packages that are installed. */
  readonly add: (seen: readonly SeenRevocation[]) => Promise<void>;
  /** Whether nobody was told that this index has expired; from now on somebody was. */
  readonly isNewlyExpired: (index: MarketplaceIndex) => Promise<boolean>;
}

/** How much one source may have a server keep. */
const mostRevocations = 20_000;
const mostRotations = 1000;

/** Creates it, empty until it is opened. */
export function createSourceMemory(parts: {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
}): SourceMemory {
  const { database, clock } = parts;
  let revocations: readonly SeenRevocation[] = [];
  let rotations: readonly SeenRotation[] = [];
  let indexes: readonly SeenIndex[] = [];
  const records = (): readonly KeyRotation[] => rotations.map(({ record }) => record);

  let lastReading = 0;

  /** Of two readings at once the one that began later counts. */
  async function open(): Promise<void> {
    const reading = (lastReading += 1);
    const found = await Promise.all([
      store.listIndexes(database.read),
      store.listRevocations(database.read),
      store.listRotations(database.read),
    ]);
    if (reading === lastReading) [indexes, revocations, rotations] = found;
  }

  const admit: SourceMemory['admit'] = async (index) => {
    const { publisherKey, indexId, updatedAt } = index;
    const departure = await departureOf(publisherKey, records());
    if (departure)
      throw new AppError('PUBLISHER_CHANGED', {
        what: `The index is signed with ${publisherKey}, a key that was left for ${departure.to}.`,
      });
    if (isFromTheFuture(index, clock.now()))
      throw invalid(`The index is of ${updatedAt}, which is in the future: a clock is wrong.`);
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

  const keep: SourceMemory['keep'] = async (trx, { index, earlierKeys, rotations: fresh }) => {
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
    const told = (await store.listRotations(trx)).filter((one) => keys.has(one.sourceKey));
    if (said.length + added > mostRevocations || told.length + fresh.length > mostRotations)
      throw invalid(
        `A server keeps ${mostRevocations} revocations and ${mostRotations} rotations of a source, and it names more.`,
      );
    const toldExpiry = before.find((one) => one.sourceKey === sourceKey)?.toldExpiry ?? null;
    for (const key of keys)
      await store.putIndex(trx, { sourceKey: key, indexId, sequence, digest, toldExpiry });
    await store.putRevocations(database, trx, changed);
    await store.addRotations(database, trx, fresh);
  };

  return {
    open,
    revocations: () => revocations,
    rotations: records,
    admit,
    keep,
    add: async (seen) => {
      if (seen.length === 0) return;
      await database.write((trx) => store.putRevocations(database, trx, seen));
      await open();
    },
    isNewlyExpired: async ({ publisherKey, indexId, expiresAt }) => {
      const isIt = (one: SeenIndex): boolean =>
        one.sourceKey === publisherKey && one.indexId === indexId;
      return database.write(async (trx) => {
        const seen = (await store.listIndexes(trx)).find(isIt);
        if (!seen || seen.toldExpiry === expiresAt) return false;
        await store.putIndex(trx, { ...seen, toldExpiry: expiresAt });
        return true;
      });
    },
  };
}

function assertLater(
  { sequence, digest }: Pick<SeenIndex, 'sequence' | 'digest'>,
  seen: SeenIndex,
): void {
  if (sequence < seen.sequence)
    throw invalid(
      `Its index has the sequence ${sequence}, and ${seen.sequence} was seen before: it is an older one.`,
    );
  if (sequence === seen.sequence && digest !== seen.digest)
    throw invalid(
      `Its index has the sequence ${sequence} like one that was seen before, and other content.`,
    );
}

const invalid = (what: string): AppError => new AppError('INDEX_INVALID', { what });
