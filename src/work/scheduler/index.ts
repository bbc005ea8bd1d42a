export { createPluginWakes } from './plugin-wakes.ts';
export type { PluginWakes, PluginWakesParts } from './plugin-wakes.ts';
export { schedulerMigrations } from './scheduler-migrations.ts';
export { createScheduler } from './scheduler.ts';
export type { RecurringWork, Scheduler, SchedulerParts } from './scheduler.ts';
