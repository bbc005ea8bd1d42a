import type { Clock } from '../../platform/clock.ts';
import type { FoundProblem, ProblemCode } from '../../platform/problems/index.ts';
import { quoted, type Text, say } from '../../platform/text.ts';

export interface DatabaseWatchParts {
  /** Reads from the database. */
  readonly ping: () => Promise<{ readonly latencyMs: number }>;
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
  readonly clock: Clock;
}

const slowMs = 500;
const timeoutMs = 2_000;
const momentMs = 100;

const codes = ['database_unreachable', 'database_slow'] as const;

/**
 * Creates the check whether the database answers. Concurrent calls share one query. A good result is
 * cached for a moment, a bad one never.
 */
export function createDatabaseWatch({
  ping,
  report,
  clock,
}: DatabaseWatchParts): () => undefined | Promise<undefined> {
  let asking: Promise<undefined> | null = null;
  let wasGoodAt = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<undefined> {
    const found = await problemOf(ping, clock);
    asking = null;
    if (found === null) wasGoodAt = clock.now();
    report(codes, found === null ? [] : [found]);
  }

  return () => {
    const sinceGood = clock.now() - wasGoodAt;
    if (sinceGood >= 0 && sinceGood < momentMs) return undefined;
    asking ??= ask();
    return asking;
  };
}

const subject = { type: 'database', id: 'main' };

const problemOf = (ping: DatabaseWatchParts['ping'], clock: Clock): Promise<FoundProblem | null> =>
  new Promise((resolve) => {
    const answer = (found: FoundProblem | null): void => {
      stopWaiting();
      resolve(found);
    };
    const stopWaiting = clock.after(timeoutMs, () =>
      resolve(unreachable(say('database.didNotAnswerWithinS', { seconds: timeoutMs / 1000 }))),
    );
    ping().then(
      ({ latencyMs }) => answer(latencyMs > slowMs ? slow : null),
      (error: unknown) => answer(unreachable(quoted(error instanceof Error ? error.message : ''))),
    );
  });

const unreachable = (detail: Text): FoundProblem => ({
  code: 'database_unreachable',
  subject,
  message: say('database.databaseCannotRead'),
  detail,
  action: say('database.checkDiskPostgresqlRunsCan'),
});

const slow: FoundProblem = {
  code: 'database_slow',
  subject,
  message: say('database.databaseTakesMoreMsOne', { slowMs }),
  action: say('database.checkLoadMachineHealthDisk'),
};
