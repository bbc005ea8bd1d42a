import type { Knex } from 'knex';

/** The position in the feed of one broker, and the data of this server that the broker has. */
export interface FeedState {
  readonly identityUrl: string;
  /** A different value means that the feed starts again. */
  readonly epoch: string | null;
  readonly next: number;
  readonly lastOkAt: string | null;
  readonly toldBaseUrl: string | null;
  readonly toldName: string | null;
}

interface FeedRow {
  readonly identity_url: string;
  readonly epoch: string | null;
  readonly next: number | string;
  readonly last_ok_at: string | null;
  readonly told_base_url: string | null;
  readonly told_name: string | null;
}

const feeds = (trx: Knex) => trx<FeedRow>('identity_feed');

export const listFeeds = async (trx: Knex): Promise<readonly FeedState[]> =>
  (await feeds(trx)).map(toState);

export async function findFeed(trx: Knex, identityUrl: string): Promise<FeedState> {
  const row = await feeds(trx).where('identity_url', identityUrl).first();
  if (row) return toState(row);
  const nothing = { epoch: null, next: 0, lastOkAt: null, toldBaseUrl: null, toldName: null };
  return { identityUrl, ...nothing };
}

export async function putFeed(trx: Knex, state: FeedState): Promise<void> {
  await feeds(trx)
    .insert({
      identity_url: state.identityUrl,
      epoch: state.epoch,
      next: state.next,
      last_ok_at: state.lastOkAt,
      told_base_url: state.toldBaseUrl,
      told_name: state.toldName,
    })
    .onConflict('identity_url')
    .merge();
}

function toState(row: FeedRow): FeedState {
  return {
    identityUrl: row.identity_url,
    epoch: row.epoch,
    next: Number(row.next),
    lastOkAt: row.last_ok_at,
    toldBaseUrl: row.told_base_url,
    toldName: row.told_name,
  };
}
