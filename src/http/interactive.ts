import type { Log } from '../../kernel/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import type { BackgroundScheduler } from '../platform/background-scheduler.ts';
import { isReading } from './access.ts';
import type { HttpApp } from './http-app.ts';

/** Observes every request that was answered. */
export type ObserveRequest = Metrics['request'];

/** Whether the server takes requests. */
export type Readiness = 'starting' | 'ready' | 'stopping';

/** Refuses requests while the server starts or stops, except on routes with `answersAlways`. */
export function refuseUntilReady(app: HttpApp, readiness: () => Readiness): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const now = readiness();
    if (now === 'ready' || request.routeConfig.answersAlways === true) done();
    else done(now === 'starting' ? new AppError('starting', {}) : new AppError('stopping', {}));
  });
}

/**
 * Counts each request as interactive from its arrival to the end of its reply; except streams,
 * which last long, and health checks of machines.
 */
export function trackInteractiveRequests(app: HttpApp, background: BackgroundScheduler): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { isStream, answersAlways } = request.routeConfig;
    const kind = isReading(request.method) ? 'reading' : 'command';
    if (isStream !== true && answersAlways !== true)
      reply.raw.once('close', background.request(kind));
    done();
  });
}

/**
 * Writes one log line per request at `debug`, and passes each request to the observer. The reply
 * carries the id that the log uses.
 */
export function logRequests(app: HttpApp, log: Log, observe: ObserveRequest): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeConfig } = request;
    const { url: route } = routeConfig;
    const { statusCode: status, elapsedTime: durationMs } = reply;
    log.debug(
      { requestId, method, route, status, ms: Math.round(durationMs) },
      'A request was answered.',
    );
    observe({ method, route, status, durationMs });
    done();
  });
}
