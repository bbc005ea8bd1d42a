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
export { programClasses } from './programs/programs.ts';
export { serviceClasses } from './services/services.ts';
export { valueClasses } from './values/values.ts';
