import type { Log } from '../../kernel/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import type { BackgroundScheduler } from '../platform/background-scheduler.ts';
import { isReading } from './access.ts';
import type { HttpApp } from './http-app.ts';
import { whenOver } from './under-way.ts';

/** Observes every request that was answered. */
export type ObserveRequest = Metrics['request'];

/**
 * Whether the server takes requests. While it drains it does, and says that they should go
 * elsewhere.
 */
export type Readiness = 'starting' | 'ready' | 'draining' | 'stopping';

/**
 * Refuses requests while the server starts or stops, except on routes with `answersAlways`. From
 * the moment that it drains, each answer is the last one of its connection.
 */
export function refuseUntilReady(
  app: HttpApp,
  readiness: () => Readiness,
  isForClients: boolean,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const now = readiness();
    const takes = now === 'ready' || now === 'draining';
    if ((takes && isForClients) || request.routeConfig.answersAlways === true) done();
    else if (takes) done(new AppError('unavailable', { what: notForClients }));
    else done(now === 'starting' ? new AppError('starting', {}) : new AppError('stopping', {}));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const now = readiness();
    if (now === 'draining' || now === 'stopping') void reply.header('connection', 'close');
    done();
  });
}

const notForClients = 'This server answers no clients: it has not the role web.';

/**
 * Counts each request as interactive from its arrival to the end of its reply; except streams,
 * which last long, and health checks of machines.
 */
export function trackInteractiveRequests(
  app: HttpApp,
  background: Pick<BackgroundScheduler, 'request'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { isStream, answersAlways } = request.routeConfig;
    const kind = isReading(request.method) ? 'reading' : 'command';
    if (isStream !== true && answersAlways !== true) whenOver(reply.raw, background.request(kind));
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
