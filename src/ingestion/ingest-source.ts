import type { Ingests, LibraryRow } from '../library/index.ts';

/** Where a round of an ingest gets its items from. Safe to ask by several at once. */
export interface IngestSource {
  /** Numbers of items that wait, each once in a round; empty at its end. */
  readonly take: (limit: number) => Promise<readonly number[]>;
  /** Where the round stands: what it has given so far lies at or below this number. */
  readonly position: () => number;
}

/** What waits in a library, or of some items only, above the number where a round stands. */
export function createIngestSource(
  ingests: Ingests,
  library: LibraryRow,
  round: { readonly after: number; readonly only: readonly number[] | null },
): IngestSource {
  let after = round.after;
  let turn: Promise<unknown> = Promise.resolve();

  async function next(limit: number): Promise<readonly number[]> {
    const numbers =
      round.only === null
        ? await ingests.pending(library, { after, limit })
        : await ingests.pendingAmong(nextOf(round.only, limit));
    after = numbers.at(-1) ?? after;
    return numbers;
  }

  function nextOf(only: readonly number[], limit: number): readonly number[] {
    const rest = only.filter((no) => no > after).slice(0, limit);
    after = rest.at(-1) ?? after;
    return rest;
  }

  return {
    take: (limit) => {
      const taken = turn.then(() => next(limit));
      turn = taken.catch(() => undefined);
      return taken;
    },
    position: () => after,
  };
}
