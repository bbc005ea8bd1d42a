export { createAudit } from './audit.ts';
export type { Audit, AuditParts, RecordAudit } from './audit.ts';
export type {
  AuditActor,
  AuditDetail,
  AuditEntry,
  AuditHead,
  AuditPerson,
  AuditRecord,
  AuditReport,
  AuditTarget,
  AuditUser,
} from './audit-entry.ts';
export { auditMigrations } from './audit-migrations.ts';
export { carryLog, findFork, pastOf, type Fork, type RestoreNote } from './carried-log.ts';
export { verifyAudit, type AuditVerdict } from './verify.ts';
export { noteChange, requestOrigin, runAsRequest, type RequestOrigin } from './request-origin.ts';
