import { type RecentLog } from '../../../platform/recent-log.ts';
import * as schema from '../../../contract/resources/operations/logs.ts';
import { routes } from '../../route.ts';
import { shortPage } from '../../short-list.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

/** The last lines of the server's log. */
export const logRoutes = routes<{
  readonly recentLog: Pick<RecentLog, 'lines'>;
}>(shared, (route, { recentLog }) => {
  route('GET /api/logs', {
    operation: 'listLogLines',
    summary: 'The last lines of the log of the server since its start, newest first',
    query: schema.LogQuery,
    reply: schema.ServerLogReply,
    handler: ({ query }) => {
      const least = schema.keptLevels.indexOf(query.level ?? 'debug');
      const wanted = recentLog
        .lines()
        .filter(({ level }) => schema.keptLevels.indexOf(level) >= least)
        .toReversed();
      const { page, nextCursor } = shortPage(
        wanted,
        query,
        ({ time, text }) => `${time} ${text.slice(0, 100)}`,
      );
      return { lines: page, nextCursor };
    },
  });
});
