export type { MatchCandidate } from './candidates.ts';
export {
  createRetryQueue,
  retryDelaysMs,
  type LookupResult,
  type RetryQueue,
  type RetryQueueParts,
} from './retry-queue.ts';
export {
  isCertain,
  isChosen,
  leastConfidence,
  matchQuestion,
  parseMatches,
  settleMatch,
  toMatchColumn,
  withoutMatch,
  type Match,
  type MatchAnswer,
  type Matches,
  type MatchQuestion,
} from './match.ts';
export { matchingMigrations } from './matching-migrations.ts';
export type { MatchQuery } from './match-question.ts';
export {
  createIndexerBackfill,
  type IndexerBackfill,
  type IndexerBackfillParts,
} from './indexer-backfill.ts';
export {
  createMatching,
  type ItemMatch,
  type Matching,
  type MatchingParts,
  type MatchOffer,
  type MatchProblem,
  type ShownMatch,
} from './matching.ts';
