import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Ingests } from '../catalogue/commit/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';

/** The items of one round of an ingest. Safe for concurrent calls. */
export type IngestSource = ReturnType<typeof createIngestSource>;

/**
 * The waiting items of a library, or only these items, above a position; with `isLookup` also those
 * that do not wait.
 */
export function createIngestSource(
  ingests: Ingests,
  library: LibraryRow,
  round: {
    readonly after: number;
    readonly only: readonly number[] | null;
    readonly isLookup: boolean;
  },
) {
  let after = round.after;
  const queue = createSerialQueue();
  const filter = async (numbers: readonly number[]): Promise<readonly number[]> =>
    round.isLookup ? numbers : ingests.filterPending(numbers);

  async function next(limit: number): Promise<readonly number[]> {
    const numbers =
      round.only === null
        ? await ingests.pending(library, { after, limit })
        : await filter(nextOf(round.only, limit));
    after = numbers.at(-1) ?? after;
    return numbers;
  }

  function nextOf(only: readonly number[], limit: number): readonly number[] {
    const rest = only.filter((no) => no > after).slice(0, limit);
    after = rest.at(-1) ?? after;
    return rest;
  }

  return {
    /** Numbers of waiting items, each once per round; empty at its end. */
    take: (limit: number): Promise<readonly number[]> => queue.run(() => next(limit)),
    /** The position of the round: all numbers given so far are at or below it. */
    position: (): number => after,
  };
}
