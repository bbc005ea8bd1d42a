import { AppError } from '../../../platform/errors.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import type { Health, Stats } from '../../../operations/health/index.ts';
import type { Routes } from '../../http-app.ts';
import { HealthReply, MetricsText, StatsReply } from './operations.schema.ts';

/** What the routes of operations need. */
export interface OperationsRouteParts {
  readonly metrics: Pick<Metrics, 'read'>;
  readonly health: () => Health | Promise<Health>;
  readonly stats: () => Promise<Stats>;
}

const tags = ['operations'];

/** Operations: health, figures and metrics of the server. */
export const operationsRoutes: Routes<OperationsRouteParts> = async (
  app,
  { health, stats, metrics },
) => {
  app.get(
    '/api/health',
    {
      config: { access: 'nobody', answersAlways: true },
      schema: {
        summary: 'Whether the server works; 503 when it cannot read its database',
        tags,
        response: { 200: HealthReply, 503: HealthReply },
      },
    },
    (_request, reply) => {
      const tell = (told: Health): void => {
        if (told.status === 'failing') void reply.code(503).header('retry-after', 5);
        void reply.send(told);
      };
      const answer = health();
      if (answer instanceof Promise) return answer.then(tell);
      tell(answer);
      return undefined;
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

  app.get(
    '/metrics',
    {
      config: { access: 'admin', answersAlways: true },
      schema: {
        summary: 'All series of the server, for Prometheus',
        tags,
        response: { 200: MetricsText },
      },
    },
    async (_request, reply) => {
      const read = await metrics.read();
      if (read === null) throw new AppError('starting', {});
      return reply.type(read.contentType).send(read.text);
    },
  );
};
