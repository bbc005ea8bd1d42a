export type {
  Burglar,
  Place,
  ProgramAttempt,
  ProgramClass,
  ServiceClass,
  ValueClass,
} from './attempt.ts';
export { burglarsTools } from './attempt.ts';
export { verdictOn, type Evidence } from './judge.ts';
export { programClasses } from './programs.ts';
export { serviceClasses } from './services.ts';
export { valueClasses } from './values.ts';
