export { schedulerMigrations } from './scheduler-migrations.ts';
export { createScheduler } from './scheduler.ts';
export type { RecurringWork, ScheduledTask, Scheduler, SchedulerParts } from './scheduler.ts';
