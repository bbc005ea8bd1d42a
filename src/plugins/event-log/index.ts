export { EventLog, type EventLogParts } from './event-log.ts';
export { eventLogMigrations } from './event-log-migrations.ts';
export type { EventSubject, CanReceive, CanPublish } from './recorder.ts';
export { createCanPublish } from './can-publish.ts';
