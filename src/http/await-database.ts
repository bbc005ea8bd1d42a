import { isReading } from './access.ts';
import type { HttpApp } from './http-app.ts';

/**
 * Lets requests that change something wait for a database that cannot be reached, before their first
 * read. What only reads is answered at once, since its client can ask again without harm.
 */
export function awaitDatabase(app: HttpApp, isReachable: () => Promise<void>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isReading(request.method) || request.routeConfig.answersAlways === true) done();
    else isReachable().then(() => done(), done);
  });
}
