/**
 * What plugins will ask their indexes, as far as the server can tell. A search plugin is asked for
 * words, and asks its index for them: so the index may look while the plugin is still on its way to ask.
 *
 * It is a guess and no more. It counts when the plugin then asks for just that, and for the kinds and
 * limits of the question before; nothing has been written to the index meanwhile. A plugin whose last
 * question was another than the one guessed is only compared with, until it asks as expected again.
 */
import type { TextHits, TextQuery, WantedKind } from './index-query.ts';
import { wordsOf } from './words.ts';

/** A query over several kinds, each for itself. */
export type KindsQuery = TextQuery & { readonly kinds: readonly WantedKind[] };

/** Runs a query; the answer has the hits of each kind, in their order. */
export type AskKinds = (query: KindsQuery) => Promise<readonly TextHits[]>;

/** Guesses of all plugins, the last of each. */
export interface Foresight {
  /** Asks what the plugin will probably ask; `undefined` when nobody can say yet. */
  readonly guess: (
    pluginId: string,
    query: TextQuery,
    ask: AskKinds,
  ) => Promise<readonly TextHits[]> | undefined;
  /** What was guessed right, else what is asked now. */
  readonly answer: (
    pluginId: string,
    query: KindsQuery,
    ask: AskKinds,
  ) => Promise<readonly TextHits[]>;
  /** The index is another now. */
  readonly forget: (pluginId: string) => void;
  readonly forgetAll: () => void;
}

/** How a plugin asks. */
interface Habit {
  readonly kinds: readonly WantedKind[];
  /** The last guess was right. */
  readonly isSure: boolean;
}

interface Guess {
  readonly key: string;
  readonly answer: Promise<readonly TextHits[]> | undefined;
}

export function createForesight(): Foresight {
  const habits = new Map<string, Habit>();
  const guesses = new Map<string, Guess>();

  return {
    guess: (pluginId, query, ask) => {
      const habit = habits.get(pluginId);
      if (habit === undefined) return undefined;
      const expected = { ...query, kinds: habit.kinds };
      const answer = habit.isSure ? ask(expected) : undefined;
      // It fails where it is taken, if it is.
      answer?.catch(() => undefined);
      guesses.set(pluginId, { key: keyOf(expected), answer });
      return answer;
    },

    answer: (pluginId, query, ask) => {
      const guess = guesses.get(pluginId);
      guesses.delete(pluginId);
      const isRight = guess?.key === keyOf(query);
      habits.set(pluginId, { kinds: query.kinds, isSure: isRight });
      return (isRight ? guess?.answer : undefined) ?? ask(query);
    },

    forget: (pluginId) => void guesses.delete(pluginId),
    forgetAll: () => guesses.clear(),
  };
}

/** Queries with the same key have the same answer, however their words are spelled. */
function keyOf({ terms, scopes = null, kinds }: KindsQuery): string {
  const sought = terms.flatMap(({ text, prefix = false, alternatives = [] }) => {
    const words = wordsOf(text);
    const isNothing = words.length === 0 && alternatives.length === 0;
    return isNothing ? [] : [[words, prefix, alternatives]];
  });
  return JSON.stringify([sought, scopes, kinds]);
}
