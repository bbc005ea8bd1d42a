import type { Scheduler } from '../../../work/scheduler/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { TaskParams, TaskReply, TasksReply } from './scheduler.schema.ts';

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
        summary: 'List scheduled tasks with their times',
        tags,
        response: { 200: TasksReply },
      },
    },
    async () => ({ tasks: scheduler.list() }),
  );

  app.post(
    '/api/scheduler/:name/run',
    {
      config,
      schema: {
        summary: 'Run it now; the answer does not wait for the end',
        tags,
        params: TaskParams,
        response: { 200: TaskReply },
      },
    },
    async (request) => ({
      task: await scheduler.runNow(request.params.name, viewerOf(request)),
    }),
  );
};
