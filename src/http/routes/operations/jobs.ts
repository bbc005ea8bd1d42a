import type { FastifyRequest } from 'fastify';
import { causeIn } from '../../../platform/cause-text.ts';
import type { Jobs } from '../../../work/jobs/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  JobReply,
  JobsQuery,
  JobsReply,
  NewJob,
  RemoveJobsQuery,
} from '../../../contract/resources/operations/jobs.ts';

const tags = ['jobs'];
const config = { access: 'admin', allowsLibraryKeys: true } as const;

/** Jobs: start background work and watch it. */
export const jobRoutes: Routes<{ readonly jobs: Jobs }> = async (app, { jobs }) => {
  app.post(
    '/api/jobs',
    {
      config,
      schema: {
        operationId: 'createJob',
        summary: 'Start a job',
        tags,
        body: NewJob,
        response: { 201: JobReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send({
        job: inLocaleOf(request, await jobs.request(request.body, viewerOf(request))),
      }),
  );

  app.get(
    '/api/jobs',
    {
      config,
      schema: {
        operationId: 'listJobs',
        summary: 'List jobs, newest first',
        tags,
        querystring: JobsQuery,
        response: { 200: JobsReply },
      },
    },
    async (request) => {
      const page = await jobs.list(viewerOf(request), request.query);
      return { ...page, jobs: page.jobs.map((job) => inLocaleOf(request, job)) };
    },
  );

  app.get(
    '/api/jobs/:id',
    {
      config,
      schema: {
        operationId: 'getJob',
        summary: 'One job',
        tags,
        params: IdParams,
        response: { 200: JobReply },
      },
    },
    async (request) => ({
      job: inLocaleOf(request, await jobs.get(request.params.id, viewerOf(request))),
    }),
  );

  app.post(
    '/api/jobs/:id/cancel',
    {
      config,
      schema: {
        operationId: 'cancelJob',
        summary: 'Cancel a job; a running one ends after its step',
        tags,
        params: IdParams,
        response: { 200: JobReply },
      },
    },
    async (request) => ({
      job: inLocaleOf(request, await jobs.cancel(request.params.id, viewerOf(request))),
    }),
  );

  app.post(
    '/api/jobs/:id/retry',
    {
      config,
      schema: {
        operationId: 'retryJob',
        summary: 'Run a failed job again',
        tags,
        params: IdParams,
        response: { 200: JobReply },
      },
    },
    async (request) => ({
      job: inLocaleOf(request, await jobs.retry(request.params.id, viewerOf(request))),
    }),
  );

  app.delete(
    '/api/jobs',
    {
      config,
      schema: {
        operationId: 'deleteJobs',
        summary: 'Delete finished jobs by status',
        tags,
        querystring: RemoveJobsQuery,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await jobs.remove(request.query.status, viewerOf(request));
      return reply.code(204).send();
    },
  );
};

/** A job with the reason of its failure in the language of the reader. */
const inLocaleOf = <Job extends { readonly errorMessage: string | null }>(
  request: FastifyRequest,
  job: Job,
): Job => ({ ...job, errorMessage: causeIn(job.errorMessage, viewerOf(request).locale) });
