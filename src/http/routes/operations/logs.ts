import { shortPage } from '../../short-list.ts';
import { type RecentLog } from '../../../platform/recent-log.ts';
import type { Routes } from '../../http-app.ts';
import {
  LogQuery,
  ServerLogReply,
  keptLevels,
} from '../../../contract/resources/operations/logs.ts';

/** The last lines of the server's log. */
export const logRoutes: Routes<{ readonly recentLog: Pick<RecentLog, 'lines'> }> = async (
  app,
  { recentLog },
) => {
  app.get(
    '/api/logs',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listLogLines',
        summary: 'The last lines of the log of the server since its start, newest first',
        tags: ['operations'],
        querystring: LogQuery,
        response: { 200: ServerLogReply },
      },
    },
    async ({ query }) => {
      const least = keptLevels.indexOf(query.level ?? 'debug');
      const wanted = recentLog
        .lines()
        .filter(({ level }) => keptLevels.indexOf(level) >= least)
        .toReversed();
      const { page, nextCursor } = shortPage(
        wanted,
        query,
        ({ time, text }) => `${time} ${text.slice(0, 100)}`,
      );
      return { lines: page, nextCursor };
    },
  );
};
