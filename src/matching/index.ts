export {
  isCertain,
  leastConfidence,
  matchQuestion,
  parseMatches,
  settleMatch,
  toMatchColumn,
  type Match,
  type MatchAnswer,
  type Matches,
  type MatchQuestion,
} from './match.ts';
export { matchingMigrations } from './matching-migrations.ts';
