export {
  createRetryQueue,
  retryDelaysMs,
  type LookupEnding,
  type LookupResult,
  type RetryQueue,
} from './retry-queue.ts';
export {
  isCertain,
  isChosen,
  leastConfidence,
  matchQuestion,
  needsLook,
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
export { createIndexerBackfill, type IndexerBackfill } from './indexer-backfill.ts';
export { createHookBackfill } from './hook-backfill.ts';
export { createLookNotices, type LookNotices } from './look-notices.ts';
export type { PendingMatch } from './pending-matches.ts';
export { createWholeMatches, wholeOf, type WholeMatches } from './whole-matches.ts';
export { createSources, type Sources, type SourcesParts } from './sources.ts';
export {
  createMatching,
  type Matching,
  type MatchingParts,
  type MatchProblem,
  type ShownMatch,
} from './matching.ts';
