import type { Health, Stats } from '../../operations/index.ts';
import type { Routes } from '../http-app.ts';
import { HealthReply, StatsReply } from './operations.schema.ts';

/** What the operations routes call. */
export interface OperationsRouteParts {
  readonly health: () => Promise<Health>;
  readonly stats: () => Promise<Stats>;
}

const tags = ['operations'];

/** Operations: whether the server is well, and how much it does. */
export const operationsRoutes: Routes<OperationsRouteParts> = async (app, { health, stats }) => {
  app.get(
    '/api/health',
    {
      config: { access: 'nobody', answersAlways: true },
      schema: {
        summary: 'Whether the server is well; 503 when it cannot read its database',
        tags,
        response: { 200: HealthReply, 503: HealthReply },
      },
    },
    async (_request, reply) => {
      const answer = await health();
      return reply.code(answer.status === 'failing' ? 503 : 200).send(answer);
    },
  );

  app.get(
    '/api/stats',
    {
      config: { access: 'admin' },
      schema: { summary: 'Figures of the running server', tags, response: { 200: StatsReply } },
    },
    () => stats(),
  );
};
