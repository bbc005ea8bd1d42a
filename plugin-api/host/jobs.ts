/** `host.jobs`: background work. Permission: `jobs`, for the job types that it names. */
export interface JobsService {
  /** Enqueues a job; a second scan of a busy library is refused with `conflict`. */
  readonly enqueue: (input: {
    readonly type: string;
    readonly libraryId?: string;
    readonly payload?: Readonly<Record<string, unknown>>;
  }) => Promise<{ readonly jobId: string }>;
}
