export { copyDatabaseRows, type CopiedRows } from './copy-database.ts';
