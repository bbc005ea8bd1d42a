import type { DatabaseCheck } from '../../../operations/integrity/index.ts';
import type { Routes } from '../../http-app.ts';
import { CheckReply, LastCheckReply } from '../../../contract/resources/operations/database.ts';

const tags = ['operations'];
const config = { access: 'admin' } as const;

/** The integrity of the database. */
export const databaseRoutes: Routes<{ readonly databaseCheck: DatabaseCheck }> = async (
  app,
  { databaseCheck },
) => {
  app.get(
    '/api/database',
    {
      config,
      schema: {
        operationId: 'getDatabaseCheck',
        summary: 'The last check of the database since the start; null = there was none',
        tags,
        response: { 200: LastCheckReply },
      },
    },
    async () => ({ check: databaseCheck.last() }),
  );

  app.post(
    '/api/database/check',
    {
      config,
      schema: {
        operationId: 'checkDatabase',
        summary: 'Check the whole database; the answer comes at the end',
        tags,
        response: { 200: CheckReply },
      },
    },
    async () => ({ check: await databaseCheck.run() }),
  );
};
