import type { Log } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import type { Pace } from '../pace.ts';
import type { HttpApp } from './http-app.ts';

/** Whether the server takes requests. */
export type Readiness = 'starting' | 'ready' | 'stopping';

/** Refuses requests while the server starts or stops, except where a route answers always. */
export function refuseUntilReady(app: HttpApp, readiness: () => Readiness): void {
  app.addHook('onRequest', async (request) => {
    const now = readiness();
    if (now === 'ready' || request.routeOptions.config?.answersAlways === true) return;
    throw now === 'starting' ? new AppError('starting', {}) : new AppError('stopping', {});
  });
}

/** Counts each request as one that somebody waits for, from its arrival to the end of its reply. */
export function keepPace(app: HttpApp, pace: Pace): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.isStream !== true) reply.raw.once('close', pace.request());
    done();
  });
}

/** One line per request, for whoever sets the log to `debug`. */
export function logRequests(app: HttpApp, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeOptions } = request;
    const fields = { requestId, method, route: routeOptions.url, status: reply.statusCode };
    log.debug({ ...fields, ms: Math.round(reply.elapsedTime) }, 'A request was answered.');
    done();
  });
}
