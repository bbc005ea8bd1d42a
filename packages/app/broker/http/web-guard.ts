/**
 * Access control of the routes under `/web`. A browser adds the cookie also to requests that other
 * sites cause, so each change must come from a page of this broker, by its `Origin`. The most
 * important changes also need a recent use of the passkey.
 */
import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '../accounts/account.ts';
import { tokenOf } from './cookies.ts';
import { Refusal } from '../service/errors.ts';
import type { BrokerApp } from './http-types.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Site } from '../service/site.ts';

/** Throws `bad_origin` unless the request comes from a page of this broker. */
export type AssertOrigin = (request: Pick<FastifyRequest, 'headers'>) => void;

/** Creates the check of origins. */
export const createAssertOrigin =
  (site: () => Site): AssertOrigin =>
  ({ headers }) => {
    if (headers.origin !== site().origin) throw new Refusal('bad_origin');
  };

/** Guards the routes under `/web`; a route that does not declare its callers is a bug. */
export function guardWeb(
  app: BrokerApp,
  { sessions, assertOrigin }: { readonly sessions: Sessions; readonly assertOrigin: AssertOrigin },
): void {
  app.decorateRequest('identityCaller', null);
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/web/') && config?.caller === undefined)
      throw new Error(`${url} does not declare its callers.`);
  });
  async function identify(request: FastifyRequest): Promise<void> {
    const { caller } = request.routeOptions.config;
    if (caller !== undefined && caller !== 'anybody')
      request.identityCaller = await sessions.find(tokenOf(request));
  }
  app.addHook('onRequest', async (request) => {
    const { caller, asksOrigin } = request.routeOptions.config;
    if (caller === undefined) return;
    await identify(request);
    if (isChange(request) && asksOrigin !== true) assertOrigin(request);
    if (caller === 'anybody' || caller === 'recovering') return;
    if (callerOf(request).session.isRecovery) throw new Refusal('recovery_unfinished');
    if (caller === 'fresh') sessions.assertFresh(callerOf(request));
  });
  // The body may come half a minute later, when the session has ended.
  app.addHook('preValidation', async (request) => {
    if (isChange(request)) await identify(request);
  });
}

const isChange = ({ method }: Pick<FastifyRequest, 'method'>): boolean =>
  method !== 'GET' && method !== 'HEAD';

/** The user of a request, on a route that needs one. */
export function callerOf({ identityCaller }: Pick<FastifyRequest, 'identityCaller'>): SignedInUser {
  if (identityCaller !== null) return identityCaller;
  throw new Error('A route without a required caller asks for the caller.');
}
