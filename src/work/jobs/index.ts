export { createEveryLibraryRunner, type EveryLibraryParts } from './every-library.ts';
export { type JobCounts } from './job.ts';
export { jobMigrations } from './job-migrations.ts';
export type { JobRunner } from './job-runner.ts';
export { Jobs, type JobsParts } from './jobs.ts';
export { createJobsService } from './jobs-service.ts';
export { createPluginRunner, type PluginRunnerParts } from './plugin-runner.ts';
