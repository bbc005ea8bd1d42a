/** The routes for apps and servers: pairing, renewal, the feed, linking, health. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../service/client-address.ts';
import { Refusal } from '../service/errors.ts';
import type { Feed } from '../feed/feed.ts';
import type { BrokerApp } from '../http/http-types.ts';
import type { Links } from '../servers/links.ts';
import type { Pairings } from '../pairing/pairings.ts';
import type { Renewals } from '../passes/renewals.ts';
import { ClientId, Id, LinkBegin, PairBegin, Renew } from '../http/schemas.ts';

export interface IdentityRoutesParts {
  readonly pairings: Pairings;
  readonly renewals: Renewals;
  readonly feed: Feed;
  readonly checkFeed: (address: string) => void;
  readonly links: Links;
  readonly ping: () => Promise<unknown>;
  readonly version: string;
}

const from = ({ ip, socket }: FastifyRequest): string => addressOf(ip, socket.remoteAddress);

/** Counts a request before its body is read. */
const counted = (count: (address: string) => void) => async (request: FastifyRequest) =>
  count(from(request));

const forApps = { config: { isForApps: true } } as const;

/** Adds the routes. */
export function identityRoutes(app: BrokerApp, parts: IdentityRoutesParts): void {
  const { pairings, renewals, feed, checkFeed, links, ping, version } = parts;

  app.post(
    '/api/identity/clients/pair/begin',
    { ...forApps, onRequest: counted(pairings.checkBegin), schema: { body: PairBegin } },
    (request) => pairings.begin(request.body, from(request)),
  );

  app.get(
    '/api/identity/clients/pair/:requestId',
    { ...forApps, onRequest: counted(pairings.checkPoll), schema: { params: Id } },
    ({ params }) => pairings.poll(params.requestId),
  );

  app.post(
    '/api/identity/clients/:clientId/renew',
    {
      ...forApps,
      onRequest: counted(renewals.check),
      schema: { params: ClientId, body: Renew },
    },
    async ({ params, body }, reply) => {
      const renewal = await renewals.renew(params.clientId, body);
      if (renewal !== null) return renewal;
      return reply.code(202).send({ status: 'renewal_pending' });
    },
  );

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/identity/revocations',
    { ...forApps, onRequest: counted(checkFeed) },
    async ({ query, headers }, reply) => {
      const page = JSON.stringify(await feed.since(momentOf(query['since'])));
      const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
      void reply.header('etag', etag).type('application/json; charset=utf-8');
      if (headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.send(page);
    },
  );

  app.post(
    '/api/identity/servers/link/begin',
    { onRequest: counted(links.checkBegin), schema: { body: LinkBegin } },
    ({ body }) => links.begin(body),
  );

  app.get(
    '/api/identity/servers/link/:requestId',
    { onRequest: counted(links.checkPoll), schema: { params: Id } },
    ({ params }) => links.poll(params.requestId),
  );

  app.get('/api/health', async (_request, reply) => {
    const isWell = await ping().then(
      () => true,
      () => false,
    );
    return reply.code(isWell ? 200 : 503).send({ status: isWell ? 'ok' : 'failing', version });
  });
}

/** A whole number of milliseconds; 0 when it is missing. */
function momentOf(since: unknown): number {
  if (since === undefined) return 0;
  const moment = Number(since);
  if (typeof since === 'string' && /^\d{1,16}$/.test(since) && Number.isSafeInteger(moment))
    return moment;
  throw new Refusal('invalid_request', { message: 'since must be a whole number from 0.' });
}
