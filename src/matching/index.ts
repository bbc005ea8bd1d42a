export type { MatchCandidate } from './candidates.ts';
export {
  createLaterQuestions,
  retryDelaysMs,
  type AskedItem,
  type LaterQuestions,
  type LaterQuestionsParts,
} from './later.ts';
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
export { createNewcomers, type Newcomers, type NewcomersParts } from './newcomers.ts';
export {
  createMatching,
  type ItemMatch,
  type Matching,
  type MatchingParts,
  type MatchOffer,
  type MatchProblem,
  type ShownMatch,
} from './matching.ts';
