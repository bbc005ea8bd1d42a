import { shortPage } from '../../short-list.ts';
import type { FastifyRequest } from 'fastify';
import { causeIn } from '../../../platform/cause-text.ts';
import type { Scheduler } from '../../../work/scheduler/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import {
  TaskParams,
  TaskReply,
  TasksReply,
} from '../../../contract/resources/operations/scheduler.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';

const tags = ['operations'];
const config = { access: 'admin' } as const;

/** Tasks that the server runs at intervals. */
export const schedulerRoutes: Routes<{
  readonly scheduler: Pick<Scheduler, 'list' | 'runNow'>;
}> = async (app, { scheduler }) => {
  app.get(
    '/api/scheduler',
    {
      config,
      schema: {
        operationId: 'listTasks',
        summary: 'List scheduled tasks with their times',
        tags,
        querystring: ShortListQuery,
        response: { 200: TasksReply },
      },
    },
    async (request) => {
      const list = scheduler.list();
      const { page, nextCursor } = shortPage(list, request.query, ({ name }) => name);
      return { tasks: page.map((task) => inLocaleOf(request, task)), nextCursor };
    },
  );

  app.post(
    '/api/scheduler/:name/run',
    {
      config,
      schema: {
        operationId: 'runTask',
        summary: 'Run it now; the answer does not wait for the end',
        tags,
        params: TaskParams,
        response: { 200: TaskReply },
      },
    },
    async (request) => ({
      task: inLocaleOf(request, await scheduler.runNow(request.params.name, viewerOf(request))),
    }),
  );
};

/** A task with the reason of its failure in the language of the reader. */
const inLocaleOf = <Task extends { readonly lastError: string | null }>(
  request: FastifyRequest,
  task: Task,
): Task => ({ ...task, lastError: causeIn(task.lastError, viewerOf(request).locale) });
