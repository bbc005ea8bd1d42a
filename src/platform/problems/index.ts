export { problemMigrations } from './problem-migrations.ts';
export { readProblems, type ProblemRow } from './problem-store.ts';
export { createProblems, type Problems, type ProblemsParts } from './problems.ts';
export { problemKinds, problemSeverities, sentence, sentenceOf } from './problem.ts';
export type {
  FoundProblem,
  Problem,
  ProblemCode,
  ProblemSeverity,
  ProblemSubject,
} from './problem.ts';
