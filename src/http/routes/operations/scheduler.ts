import type { Viewer } from '../../../people/viewer/index.ts';
import { causeIn } from '../../../platform/cause-text.ts';
import type { Scheduler } from '../../../work/scheduler/index.ts';
import * as schema from '../../../contract/resources/operations/scheduler.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import { routes } from '../../route.ts';
import { shortPage } from '../../short-list.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

/** Tasks that the server runs at intervals. */
export const schedulerRoutes = routes<{
  readonly scheduler: Pick<Scheduler, 'list' | 'runNow'>;
}>(shared, (route, { scheduler }) => {
  route('GET /api/scheduler', {
    operation: 'listTasks',
    summary: 'List scheduled tasks with their times',
    query: ShortListQuery,
    reply: schema.TasksReply,
    handler: ({ query, viewer }) => {
      const list = scheduler.list();
      const { page, nextCursor } = shortPage(list, query, ({ name }) => name);
      return { tasks: page.map((task) => inLocaleOf(viewer, task)), nextCursor };
    },
  });

  route('POST /api/scheduler/:name/run', {
    operation: 'runTask',
    summary: 'Run it now; the answer does not wait for the end',
    params: schema.TaskParams,
    reply: schema.TaskReply,
    handler: async ({ params, viewer }) => ({
      task: inLocaleOf(viewer, await scheduler.runNow(params.name, viewer)),
    }),
  });
});

/** A task with the reason of its failure in the language of the reader. */
const inLocaleOf = <Task extends { readonly lastError: string | null }>(
  { locale }: Viewer,
  task: Task,
): Task => ({ ...task, lastError: causeIn(task.lastError, locale) });
