import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import * as schema from '../../../contract/resources/operations/operations.ts';
import { routes } from '../../route.ts';
import { isUnlimitedAdmin } from '../../access.ts';
import type { HttpApp } from '../../http-app.ts';
import type {
  Health,
  Problem,
  ReadyState,
  Stats,
} from '../../../contract/resources/operations/operations.ts';

const shared = { tag: 'operations', access: 'nobody' } as const;

export interface OperationsRouteParts {
  readonly metrics: Pick<Metrics, 'read'>;
  readonly health: () => Health | Promise<Health>;
  readonly ready: () => Promise<ReadyState>;
  /** In the language of a reader; English without one. */
  readonly problems: (locale?: string | null) => readonly Problem[];
  readonly stats: () => Promise<Stats>;
}

/** Operations: health, figures and metrics of the server. */
export const operationsRoutes = routes<OperationsRouteParts>(
  shared,
  (route, { health, ready, problems, stats, metrics }, app) => {
    route('GET /api/health', {
      answersAlways: true,
      knowsCaller: true,
      operation: 'getHealth',
      summary: 'The state of the server; 200 as long as its process answers',
      reply: schema.HealthReply,
      handler: async ({ request }) => {
        const told = await health();
        const now = problems();
        // Without the database no credential can be checked.
        const isReadable = !now.some(({ code }) => code === 'database_unreachable');
        const admin = isReadable ? await adminOf(app, request) : null;
        return admin === null ? told : { ...told, problems: problems(admin.locale) };
      },
    });

    route('GET /api/ready', {
      answersAlways: true,
      operation: 'getReadiness',
      summary: 'Whether requests may be sent to this server; 503 with the reasons if not',
      replies: { 200: schema.ReadyReply, 503: schema.ReadyReply },
      handler: async ({ reply }) => {
        const state = await ready();
        if (!state.ready) void reply.code(503).header('retry-after', 5);
        return state;
      },
    });

    route('GET /api/stats', {
      access: 'admin',
      operation: 'getStats',
      summary: 'Figures of the running server',
      reply: schema.StatsReply,
      handler: () => stats(),
    });

    route('GET /metrics', {
      access: 'admin',
      answersAlways: true,
      holdsNoSecret: true,
      operation: 'getMetrics',
      summary: 'All series of the server, for Prometheus',
      reply: schema.MetricsText,
      handler: async ({ reply }) => {
        const read = await metrics.read();
        if (read === null) throw new AppError('starting', {});
        return reply.type(read.contentType).send(read.text);
      },
    });
  },
);

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
