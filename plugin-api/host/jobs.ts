import type { MethodRecords } from '../server/method-record.ts';

/** `host.jobs`: background work. Permission: `jobs`, for the job types that it names. */
export interface JobsService {
  /** Enqueues a job; a second scan of a busy library is refused with `conflict`. */
  readonly enqueue: (input: {
    readonly type: string;
    readonly libraryId?: string;
    readonly payload?: Readonly<Record<string, unknown>>;
  }) => Promise<{ readonly jobId: string }>;
}

/** What the server knows of each method. @internal */
export const jobsMethods = {
  enqueue: {
    permission: { name: 'jobs' },
    scope: 'job',
    viewer: 'job',
    needs: { type: { type: 'string', minLength: 1, maxLength: 129 } },
    takes: {
      libraryId: { type: 'string', minLength: 1, maxLength: 100 },
      payload: { type: 'object' },
    },
    done: { english: 'started background work', german: 'Hintergrundarbeit gestartet' },
  },
} as const satisfies MethodRecords<JobsService>;
