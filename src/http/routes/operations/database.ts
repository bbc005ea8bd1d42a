import type { DatabaseCheck } from '../../../operations/integrity/index.ts';
import * as schema from '../../../contract/resources/operations/database.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

/** The integrity of the database. */
export const databaseRoutes = routes<{
  readonly databaseCheck: DatabaseCheck;
}>(shared, (route, { databaseCheck }) => {
  route('GET /api/database', {
    operation: 'getDatabaseCheck',
    summary: 'The last check of the database since the start; null = there was none',
    reply: schema.LastCheckReply,
    handler: () => ({ check: databaseCheck.last() }),
  });

  route('POST /api/database/check', {
    operation: 'checkDatabase',
    summary: 'Check the whole database; the answer comes at the end',
    reply: schema.CheckReply,
    handler: async () => ({ check: await databaseCheck.run() }),
  });
});
