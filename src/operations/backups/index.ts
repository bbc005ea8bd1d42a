export { backupTime, isBackupName } from './backup.ts';
export { createBackups, type Backups, type BackupsParts } from './backups.ts';
export { carryOver, type CarryOverParts, type WantedRestore } from './carry-over.ts';
export { createBackupRunner } from './backup-runner.ts';
export { copiedDatabase } from './copied-database.ts';
export { clearLeftovers, makeBackup } from './make-backup.ts';
export { hasPostgresPrograms } from './postgres-programs.ts';
export { restorePostgres } from './restore-postgres.ts';
export { verifyBackup } from './backup-reader.ts';
export { BackupError } from './backup-error.ts';
export {
  acceptRestore,
  discardRestore,
  settleRestore,
  stageCopy,
  stageRestore,
  swapIn,
  takeBack,
  type StagedRestore,
} from './restore.ts';
