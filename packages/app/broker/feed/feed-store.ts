import type { Knex } from 'knex';
import type { FeedRecord } from '../service/web-api.ts';

export interface PublishedRecord extends FeedRecord {
  /** Unix milliseconds; unique, and growing. */
  readonly publishedAt: number;
}

/** A record with its lookup columns. */
export interface StoredRecord extends PublishedRecord {
  readonly payloadHash: string;
  readonly userId: string;
  readonly kind: string;
  readonly clientId: string | null;
}

/** The feed's epoch, and when its last record was published. */
export interface FeedMark {
  readonly epoch: string;
  readonly last: number;
}

interface RecordRow {
  readonly published_at: number | string;
  readonly payload_hash: string;
  readonly user_id: string;
  readonly kind: string;
  readonly client_id: string | null;
  readonly payload: string;
  readonly sig: string;
  readonly new_sig: string | null;
}

const records = (db: Knex) => db<RecordRow>('records');

export async function insertRecord(trx: Knex, record: StoredRecord): Promise<void> {
  await records(trx).insert({
    published_at: record.publishedAt,
    payload_hash: record.payloadHash,
    user_id: record.userId,
    kind: record.kind,
    client_id: record.clientId,
    payload: record.payload,
    sig: record.sig,
    new_sig: record.newSig ?? null,
  });
}

export async function hasRecord(db: Knex, payloadHash: string): Promise<boolean> {
  return (await records(db).where('payload_hash', payloadHash).first()) !== undefined;
}

export async function findRecord(
  db: Knex,
  payloadHash: string,
): Promise<PublishedRecord | undefined> {
  const row = await records(db).where('payload_hash', payloadHash).first();
  return row && toRecord(row);
}

/** The time of the newest record; 0 when there is none. */
export async function newestMoment(db: Knex): Promise<number> {
  const row = await records(db).orderBy('published_at', 'desc').first('published_at');
  return Number(row?.published_at ?? 0);
}

/** Oldest first. */
export async function recordsSince(
  db: Knex,
  since: number,
  most: number,
): Promise<readonly PublishedRecord[]> {
  const query = records(db).where('published_at', '>', since).orderBy('published_at');
  return (await query.limit(most)).map(toRecord);
}

export async function recordsOf(db: Knex, userId: string): Promise<readonly PublishedRecord[]> {
  const query = records(db).where('user_id', userId);
  return (await query.orderBy('published_at')).map(toRecord);
}

export async function revocationsOf(
  db: Knex,
  clientId: string,
): Promise<readonly PublishedRecord[]> {
  const query = records(db).where({ client_id: clientId, kind: 'revocation' });
  return (await query.orderBy('published_at')).map(toRecord);
}

export async function removeRevocationsBefore(trx: Knex, at: number): Promise<void> {
  await records(trx).where('kind', 'revocation').where('published_at', '<=', at).delete();
}

export async function findMark(db: Knex): Promise<FeedMark | undefined> {
  const row = await db<{ id: number; epoch: string; last: number | string }>('feed')
    .where('id', 1)
    .first();
  return row && { epoch: row.epoch, last: Number(row.last) };
}

export async function putMark(trx: Knex, mark: FeedMark): Promise<void> {
  await trx('feed')
    .insert({ id: 1, ...mark })
    .onConflict('id')
    .merge();
}

const toRecord = (row: RecordRow): PublishedRecord => ({
  payload: row.payload,
  sig: row.sig,
  ...(row.new_sig !== null && { newSig: row.new_sig }),
  publishedAt: Number(row.published_at),
});
