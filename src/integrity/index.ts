export {
  createDatabaseCheck,
  type CheckResult,
  type DatabaseCheck,
  type DatabaseCheckParts,
} from './database-check.ts';
export { lookThrough } from './look-through.ts';
