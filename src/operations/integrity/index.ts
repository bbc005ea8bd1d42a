export {
  createDatabaseCheck,
  type DatabaseCheck,
  type DatabaseCheckParts,
} from './database-check.ts';
export { checkIntegrity } from './check-integrity.ts';
