export { parseProgram, type Asked, type ProgramParts } from './program.ts';
export { showProgress } from './progress-line.ts';
