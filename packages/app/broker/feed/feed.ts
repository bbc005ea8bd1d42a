/**
 * The public feed of revocations by identity keys. Its records have unique, growing times, so a
 * reader requests the records after its last one.
 *
 * A database that was restored from a backup lacks records that readers already have, and would
 * assign the same times again. So before a reader gets a record, its time is written to a file
 * beside the database. When the database is behind the file, the feed starts a new epoch, and its
 * readers start again.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Transaction } from '../../../../kernel/store/index.ts';
import * as store from './feed-store.ts';
import type { FeedMark, PublishedRecord } from './feed-store.ts';
import { dayMs, type Core } from '../service/parts.ts';
import { hashOf } from '../service/secret-hashes.ts';
import type { FeedRecord } from '../service/web-api.ts';

export interface FeedPage {
  readonly epoch: string;
  readonly records: readonly PublishedRecord[];
  /** The `since` of the next request. */
  readonly next: number;
  readonly more: boolean;
}

/** A record to publish. */
export interface NewRecord {
  readonly record: FeedRecord;
  readonly userId: string;
  readonly kind: string;
  readonly clientId: string | null;
}

export type Feed = Awaited<ReturnType<typeof openFeed>>;

const mostRecords = 500;
/** Readers accept 1 MiB. */
const mostCharacters = 900_000;
const keptMs = 400 * dayMs;

/** Opens the feed: a new one, the existing one, or, after a restore, a new epoch. */
export async function openFeed(core: Core, data: string) {
  const { database, clock, random } = core;
  const file = path.join(data, 'feed.json');
  const newEpoch = (): string => random(8).toString('hex');
  const noted = readMark(file);

  const { epoch } = await database.write(async (trx) => {
    const known = await store.findMark(trx);
    const isWhole = noted === null || (known?.epoch === noted.epoch && known.last >= noted.last);
    if (known && isWhole) return known;
    const mark = { epoch: newEpoch(), last: Math.max(known?.last ?? 0, noted?.last ?? 0) };
    await store.putMark(trx, mark);
    return mark;
  });
  let given = noted?.epoch === epoch ? noted.last : -1;

  const note = (last: number): void => {
    if (last <= given) return;
    writeMark(file, { epoch, last });
    given = last;
  };
  note(0);

  return {
    /** Publishes in the transaction that applies the record; an existing record stays unchanged. */
    publish: async (
      trx: Transaction,
      { record, userId, kind, clientId }: NewRecord,
    ): Promise<void> => {
      const payloadHash = hashOf(record.payload);
      if (await store.hasRecord(trx, payloadHash)) return;
      const marked = (await store.findMark(trx))?.last ?? 0;
      const last = Math.max(marked, await store.newestMoment(trx));
      const publishedAt = Math.max(clock.now(), last + 1);
      await store.insertRecord(trx, {
        ...record,
        publishedAt,
        payloadHash,
        userId,
        kind,
        clientId,
      });
      await store.putMark(trx, { epoch, last: publishedAt });
    },
    /** The records after that time. */
    since: async (moment: number): Promise<FeedPage> => {
      const found = await store.recordsSince(database.read, moment, mostRecords + 1);
      const records = found.slice(0, fitting(found));
      const next = records.at(-1)?.publishedAt ?? moment;
      if (records.length > 0) note(next);
      return { epoch, records, next, more: records.length < found.length };
    },
    /** Removes revocations that are older than any valid pass. */
    sweep: (trx: Transaction): Promise<void> =>
      store.removeRevocationsBefore(trx, clock.now() - keptMs),
  };
}

/** The number of records that fit on one page. */
function fitting(records: readonly PublishedRecord[]): number {
  let characters = 0;
  const end = records.findIndex((record) => {
    characters += JSON.stringify(record).length + 1;
    return characters > mostCharacters;
  });
  return Math.min(mostRecords, end === -1 ? records.length : end);
}

function readMark(file: string): FeedMark | null {
  try {
    const { epoch, last } = JSON.parse(readFileSync(file, 'utf8')) as Partial<FeedMark>;
    return typeof epoch === 'string' && Number.isSafeInteger(last) && last !== undefined
      ? { epoch, last }
      : null;
  } catch {
    return null;
  }
}

function writeMark(file: string, mark: FeedMark): void {
  const staged = `${file}.new`;
  writeFileSync(staged, JSON.stringify(mark), { mode: 0o600 });
  renameSync(staged, file);
}
