import type { Viewer } from '../../../people/viewer/index.ts';
import { causeIn } from '../../../platform/cause-text.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import * as schema from '../../../contract/resources/operations/jobs.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'jobs', access: 'admin', allowsLibraryKeys: true } as const;

/** Jobs: start background work and watch it. */
export const jobRoutes = routes<{ readonly jobs: Jobs }>(shared, (route, { jobs }) => {
  route('POST /api/jobs', {
    operation: 'createJob',
    summary: 'Start a job',
    body: schema.NewJob,
    created: schema.JobReply,
    handler: async ({ body, viewer }) => ({
      job: inLocaleOf(viewer, await jobs.request(body, viewer)),
    }),
  });

  route('GET /api/jobs', {
    operation: 'listJobs',
    summary: 'List jobs, newest first',
    query: schema.JobsQuery,
    reply: schema.JobsReply,
    handler: async ({ query, viewer }) => {
      const page = await jobs.list(viewer, query);
      return { ...page, jobs: page.jobs.map((job) => inLocaleOf(viewer, job)) };
    },
  });

  route('GET /api/jobs/:id', {
    operation: 'getJob',
    summary: 'One job',
    reply: schema.JobReply,
    handler: async ({ params, viewer }) => ({
      job: inLocaleOf(viewer, await jobs.get(params.id, viewer)),
    }),
  });

  route('POST /api/jobs/:id/cancel', {
    operation: 'cancelJob',
    summary: 'Cancel a job; a running one ends after its step',
    reply: schema.JobReply,
    handler: async ({ params, viewer }) => ({
      job: inLocaleOf(viewer, await jobs.cancel(params.id, viewer)),
    }),
  });

  route('POST /api/jobs/:id/retry', {
    operation: 'retryJob',
    summary: 'Run a failed job again',
    reply: schema.JobReply,
    handler: async ({ params, viewer }) => ({
      job: inLocaleOf(viewer, await jobs.retry(params.id, viewer)),
    }),
  });

  route('DELETE /api/jobs', {
    operation: 'deleteJobs',
    summary: 'Delete finished jobs by status',
    query: schema.RemoveJobsQuery,
    handler: ({ query, viewer }) => jobs.remove(query.status, viewer),
  });
});

/** A job with the reason of its failure in the language of the reader. */
const inLocaleOf = <Job extends { readonly errorMessage: string | null }>(
  { locale }: Viewer,
  job: Job,
): Job => ({ ...job, errorMessage: causeIn(job.errorMessage, locale) });
