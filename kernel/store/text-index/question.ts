import type { MatchExpression } from './match-expression.ts';

/** One kind of an index: its number in the keys, and how many hits are wanted. */
export interface Share {
  readonly ordinal: number;
  readonly limit: number;
}

/** The parts of a query. */
export interface Question {
  readonly expression: MatchExpression;
  /** The title that equals the query word for word; empty when there can be none. */
  readonly exactTitle: string;
  /** `null` = all. */
  readonly scopes: readonly string[] | null;
  readonly shares: readonly Share[];
  /** Whether the shares are all kinds of the index. */
  readonly isEveryKind: boolean;
}
