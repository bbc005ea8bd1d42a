/**
 * Challenges that were answered. A challenge proves by its own seal that this installation issued
 * it, so only the answered ones are stored, as hashes, until they expire. Of several answers at
 * once, at any of the servers, the first one inserts the row; all others find it.
 */
import type { Database } from '../../../kernel/store/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { hashOfToken } from './token.ts';

/** Accepts each challenge once. */
export type SpentChallenges = ReturnType<typeof createSpentChallenges>;

/** Kept beyond their end, so that a server whose clock is ahead forgets none that others accept. */
const keptMs = 10 * 60_000;

interface SpentRow {
  readonly hash: string;
  readonly ends_at: number;
}

/** Creates the record of answered challenges. */
export function createSpentChallenges(parts: {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { database, clock } = parts;
  return {
    /** `false` when it was spent before. It is remembered until `endsAtMs`. */
    spend: (challenge: string, endsAtMs: number): Promise<boolean> =>
      database.write(async (trx) => {
        await trx<SpentRow>('spent_challenges')
          .where('ends_at', '<=', clock.now() - keptMs)
          .delete();
        const added = await trx<SpentRow>('spent_challenges')
          .insert({ hash: hashOfToken(challenge), ends_at: endsAtMs })
          .onConflict('hash')
          .ignore()
          .returning('hash');
        return added.length > 0;
      }),
  };
}
