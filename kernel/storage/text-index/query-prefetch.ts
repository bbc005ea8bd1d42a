/**
 * Prefetches index queries. A search plugin receives words and then queries its index for them, so
 * the query can start before the plugin asks.
 *
 * A prefetch is used only when the plugin then asks exactly this query, with the kinds and limits of
 * its query before, and nothing was written to the index meanwhile. After a wrong prediction, queries
 * are only compared, not prefetched, until a prediction is right again.
 */
import type { TextHits, TextQuery, WantedKind } from './index-query.ts';
import { wordsOf } from './split-words.ts';

/** A query over several kinds, each with its own limit. */
export type KindsQuery = TextQuery & { readonly kinds: readonly WantedKind[] };

/** Runs a query; returns the hits of each kind, in order. */
export type AskKinds = (query: KindsQuery) => Promise<readonly TextHits[]>;

/** The last prediction for each plugin. */
export interface QueryPrefetch {
  /** Starts the query that the plugin will probably ask; `undefined` without a prediction. */
  readonly prefetch: (
    pluginId: string,
    query: TextQuery,
    ask: AskKinds,
  ) => Promise<readonly TextHits[]> | undefined;
  /** The prefetched answer if the prediction was right; otherwise runs the query. */
  readonly answer: (
    pluginId: string,
    query: KindsQuery,
    ask: AskKinds,
  ) => Promise<readonly TextHits[]>;
  /** The index has changed. */
  readonly forget: (pluginId: string) => void;
  readonly forgetAll: () => void;
}

/** The form of a plugin's queries. */
interface QueryPattern {
  readonly kinds: readonly WantedKind[];
  /** Whether the last prediction was right. */
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
      // A failure is reported to the query that uses it, if any.
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

/** Queries with equal keys have equal answers, also with other spellings of their words. */
function keyOf({ terms, scopes = null, kinds }: KindsQuery): string {
  const sought = terms.flatMap(({ text, prefix = false, alternatives = [] }) => {
    const words = wordsOf(text);
    const isNothing = words.length === 0 && alternatives.length === 0;
    return isNothing ? [] : [[words, prefix, alternatives]];
  });
  return JSON.stringify([sought, scopes, kinds]);
}
