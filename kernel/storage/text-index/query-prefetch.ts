/**
 * What plugins will ask their indexes, as far as the server can tell. A search plugin is asked for
 * words, and asks its index for them: so the index may look while the plugin is still on its way to ask.
 *
 * It is a guess and no more. It counts when the plugin then asks for just that, and for the kinds and
 * limits of the question before; nothing has been written to the index meanwhile. A plugin whose last
 * question was another than the one guessed is only compared with, until it asks as expected again.
 */
import type { TextHits, TextQuery, WantedKind } from './index-query.ts';
import { wordsOf } from './split-words.ts';

/** A query over several kinds, each for itself. */
export type KindsQuery = TextQuery & { readonly kinds: readonly WantedKind[] };

/** Runs a query; the answer has the hits of each kind, in their order. */
export type AskKinds = (query: KindsQuery) => Promise<readonly TextHits[]>;

/** Guesses of all plugins, the last of each. */
export interface QueryPrefetch {
  /** Asks what the plugin will probably ask; `undefined` when nobody can say yet. */
  readonly prefetch: (
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
interface QueryPattern {
  readonly kinds: readonly WantedKind[];
  /** The last guess was right. */
  readonly isConfirmed: boolean;
}

interface Prefetched {
  readonly key: string;
  readonly answer: Promise<readonly TextHits[]> | undefined;
}

export function createQueryPrefetch(): QueryPrefetch {
  const patterns = new Map<string, QueryPattern>();
  const prefetched = new Map<string, Prefetched>();

  return {
    prefetch: (pluginId, query, ask) => {
      const pattern = patterns.get(pluginId);
      if (pattern === undefined) return undefined;
      const expected = { ...query, kinds: pattern.kinds };
      const answer = pattern.isConfirmed ? ask(expected) : undefined;
      // It fails where it is taken, if it is.
      answer?.catch(() => undefined);
      prefetched.set(pluginId, { key: keyOf(expected), answer });
      return answer;
    },

    answer: (pluginId, query, ask) => {
      const earlier = prefetched.get(pluginId);
      prefetched.delete(pluginId);
      const isRight = earlier?.key === keyOf(query);
      patterns.set(pluginId, { kinds: query.kinds, isConfirmed: isRight });
      return (isRight ? earlier?.answer : undefined) ?? ask(query);
    },

    forget: (pluginId) => void prefetched.delete(pluginId),
    forgetAll: () => prefetched.clear(),
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
