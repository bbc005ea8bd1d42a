import type { Undo } from '../clock.ts';
import type { MetricSources } from './metric-sources.ts';

/** A job that ended. */
export interface JobTime {
  readonly type: string;
  readonly status: string;
  readonly durationMs: number;
}

/** The most running jobs whose start is remembered. */
const mostStarts = 1000;

/** Reports for each job that ends how long it ran since its last start. */
export function followJobs(
  { events, now }: Pick<MetricSources, 'events' | 'now'>,
  onEnd: (job: JobTime) => void,
): Undo {
  const starts = new Map<string, number>();
  const ended = (data: object, status: string): void => {
    if (!isAboutJob(data)) return;
    const startedAt = starts.get(data.jobId);
    starts.delete(data.jobId);
    if (startedAt !== undefined) onEnd({ type: data.type, status, durationMs: now() - startedAt });
  };
  const undos = [
    events.listen('job.started', ({ data }) => {
      if (!isAboutJob(data)) return;
      const [oldest] = starts.keys();
      if (starts.size >= mostStarts && oldest !== undefined) starts.delete(oldest);
      starts.set(data.jobId, now());
    }),
    ...['completed', 'failed'].map((status) =>
      events.listen(`job.${status}`, ({ data }) => ended(data, status)),
    ),
  ];
  return () => {
    for (const undo of undos) undo();
  };
}

const isAboutJob = (data: object): data is { readonly jobId: string; readonly type: string } =>
  'jobId' in data &&
  typeof data.jobId === 'string' &&
  'type' in data &&
  typeof data.type === 'string';
