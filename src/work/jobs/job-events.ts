import type { EventName } from '../../../plugin-api/index.ts';
import { jobEventData } from './job.ts';
import type { QueuedJob } from './job-store.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** Emits one event, without waiting. */
export type Emit = (type: EventName, data: object) => void;

/** Emits the events of a job; the admins' event stream has each of them too. */
export type JobEvents = ReturnType<typeof createJobEvents>;

/** Creates the events over the emitter. */
export function createJobEvents(emit: Emit) {
  const telling =
    (...names: readonly EventName[]) =>
    (job: Job): void => {
      for (const name of names) emit(name, jobEventData(job));
    };
  return {
    created: telling('admin.pipeline.jobCreated'),
    /** With the number of the try since the job last made progress. */
    started: ({ job, attempts, interruptions }: QueuedJob): void => {
      emit('job.started', { ...jobEventData(job), attempt: attempts + interruptions + 1 });
      emit('admin.pipeline.jobUpdated', jobEventData(job));
    },
    progressed: telling('job.progress', 'admin.pipeline.jobUpdated'),
    /** Cancelled, or pending again. */
    changed: telling('admin.pipeline.jobUpdated'),
    completed: telling('job.completed', 'admin.pipeline.jobCompleted'),
    failed: telling('job.failed', 'admin.pipeline.jobFailed'),
  };
}
