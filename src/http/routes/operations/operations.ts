import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../platform/errors.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import type { Health, ReadyState, Stats } from '../../../operations/health/index.ts';
import type { Problem } from '../../../platform/problems/index.ts';
import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../../../people/viewer/index.ts';
import { isUnlimitedAdmin } from '../../access.ts';
import type { HttpApp, Routes } from '../../http-app.ts';
import {
  HealthReply,
  MetricsText,
  ReadyReply,
  StatsReply,
} from '../../../contract/resources/operations/operations.ts';

/** What the routes of operations need. */
export interface OperationsRouteParts {
  readonly metrics: Pick<Metrics, 'read'>;
  readonly health: () => Health | Promise<Health>;
  readonly ready: () => Promise<ReadyState>;
  /** In the language of a reader; English without one. */
  readonly problems: (locale?: string | null) => readonly Problem[];
  readonly stats: () => Promise<Stats>;
}

const tags = ['operations'];

/** Operations: health, figures and metrics of the server. */
export const operationsRoutes: Routes<OperationsRouteParts> = async (
  app,
  { health, ready, problems, stats, metrics },
) => {
  app.get(
    '/api/health',
    {
      config: { access: 'nobody', answersAlways: true, knowsCaller: true },
      schema: {
        operationId: 'getHealth',
        summary: 'The state of the server; 200 as long as its process answers',
        tags,
        response: { 200: HealthReply },
      },
    },
    async (request) => {
      const told = await health();
      const now = problems();
      // Without the database no credential can be checked.
      const isReadable = !now.some(({ code }) => code === 'database_unreachable');
      const admin = isReadable ? await adminOf(app, request) : null;
      return admin === null ? told : { ...told, problems: problems(admin.locale) };
    },
  );

  app.get(
    '/api/ready',
    {
      config: { access: 'nobody', answersAlways: true },
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether requests may be sent to this server; 503 with the reasons if not',
        tags,
        response: { 200: ReadyReply, 503: ReadyReply },
      },
    },
    async (_request, reply) => {
      const state = await ready();
      if (!state.ready) void reply.code(503).header('retry-after', 5);
      return state;
    },
  );

  app.get(
    '/api/stats',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'getStats',
        summary: 'Figures of the running server',
        tags,
        response: { 200: StatsReply },
      },
    },
    () => stats(),
  );

  app.get(
    '/metrics',
    {
      config: { access: 'admin', answersAlways: true, holdsNoSecret: true },
      schema: {
        operationId: 'getMetrics',
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

/** How long health waits for the check of a credential, which reads the database. */
const credentialMs = 2000;

/** The admin whose credential it has. A credential that cannot be checked counts as none. */
async function adminOf(app: HttpApp, request: FastifyRequest): Promise<Viewer | null> {
  if (request.headers.authorization === undefined) return null;
  try {
    const late = sleep(credentialMs, null, { ref: false });
    const viewer = await Promise.race([app.admit(request, request.headers), late]);
    return viewer !== null && isUnlimitedAdmin(viewer) ? viewer : null;
  } catch {
    return null;
  }
}
