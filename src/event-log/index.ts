export { createEventLog, type EventLog, type EventLogParts } from './event-log.ts';
export { eventLogMigrations } from './event-log-migrations.ts';
export type { EventSubject, MayHear, MayTell } from './recorder.ts';
export { createMayTell } from './may-tell.ts';
