/** The routes of the developer's page. */
import type { Apps } from '../apps/apps.ts';
import type { BrokerApp } from '../http/http-types.ts';
import * as schemas from '../http/schemas.ts';
import { callerOf } from '../http/web-guard.ts';

const signedIn = { config: { caller: 'signed-in' } } as const;

/** Adds the routes. */
export function appRoutes(app: BrokerApp, { apps }: { readonly apps: Apps }): void {
  app.get('/web/apps', signedIn, async (request) => ({
    apps: await apps.list(callerOf(request)),
  }));
  app.post('/web/apps', { ...signedIn, schema: { body: schemas.NewApp } }, async (request, reply) =>
    reply.code(201).send(await apps.add(callerOf(request), request.body)),
  );
  app.patch(
    '/web/apps/:appId',
    { ...signedIn, schema: { params: schemas.AppId, body: schemas.ChangeApp } },
    (request) => apps.change(callerOf(request), request.params.appId, request.body),
  );
  app.post(
    '/web/apps/:appId/verify',
    { ...signedIn, schema: { params: schemas.AppId, body: schemas.Nothing } },
    (request) => apps.verify(callerOf(request), request.params.appId),
  );
  app.delete(
    '/web/apps/:appId',
    { ...signedIn, schema: { params: schemas.AppId } },
    async (request, reply) => {
      await apps.remove(callerOf(request), request.params.appId);
      return reply.code(204).send();
    },
  );
}
