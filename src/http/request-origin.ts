import { runAsRequest } from '../audit/index.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Says to everything that a request sets going where it comes from. Twice, since what follows the
 * body runs when its last part arrives, which is no continuation of what ran before.
 */
export function tellOrigins(app: HttpApp): void {
  app.addHook('onRequest', ({ ip: address, id: requestId }, _reply, done) =>
    runAsRequest({ address, requestId }, done),
  );
  app.addHook('preValidation', ({ ip: address, id: requestId }, _reply, done) =>
    runAsRequest({ address, requestId }, done),
  );
}
