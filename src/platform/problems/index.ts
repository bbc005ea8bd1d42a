export { problemMigrations } from './problem-migrations.ts';
export { readProblems, type ProblemRow } from './problem-store.ts';
export { createProblems, type Problems, type ProblemsParts } from './problems.ts';
export { sentence, sentenceOf } from './problem.ts';
export type { FoundProblem, ProblemSubject } from './problem.ts';
export type {
  ProblemCode,
  ProblemSeverity,
} from '../../contract/resources/operations/operations.ts';
