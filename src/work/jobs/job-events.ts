import type { EventName } from '../../../plugin-api/index.ts';
import { jobEventData } from './job.ts';
import type { QueuedJob } from './job-store.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

/** Emits one event, without waiting. */
export type Emit = (type: EventName, data: object) => void;

/** Emits the events of a job; the admins' event stream has each of them too. */
export interface JobEvents {
  readonly created: (job: Job) => void;
  /** With the number of the try since the job last made progress. */
  readonly started: (claimed: QueuedJob) => void;
  readonly progressed: (job: Job) => void;
  /** Cancelled, or pending again. */
  readonly changed: (job: Job) => void;
  readonly completed: (job: Job) => void;
  readonly failed: (job: Job) => void;
}

/** Creates the events over the emitter. */
export function createJobEvents(emit: Emit): JobEvents {
  const telling =
    (...names: readonly EventName[]) =>
    (job: Job): void => {
      for (const name of names) emit(name, jobEventData(job));
    };
  return {
    created: telling('admin.pipeline.jobCreated'),
    started: ({ job, attempts, interruptions }) => {
      emit('job.started', { ...jobEventData(job), attempt: attempts + interruptions + 1 });
      emit('admin.pipeline.jobUpdated', jobEventData(job));
    },
    progressed: telling('job.progress', 'admin.pipeline.jobUpdated'),
    changed: telling('admin.pipeline.jobUpdated'),
    completed: telling('job.completed', 'admin.pipeline.jobCompleted'),
    failed: telling('job.failed', 'admin.pipeline.jobFailed'),
  };
}
