/** The routes of the pages for approvals of devices and servers. */
import type { FastifyRequest } from 'fastify';
import type { Approvals } from '../passes/approvals.ts';
import { addressOf } from '../service/client-address.ts';
import type { BrokerApp } from '../http/http-types.ts';
import type { Links } from '../servers/links.ts';
import * as schemas from '../http/schemas.ts';
import { callerOf, type AssertOrigin } from '../http/web-guard.ts';

export interface ApprovalRoutesParts {
  readonly approvals: Approvals;
  readonly links: Links;
  readonly assertOrigin: AssertOrigin;
}

const signedIn = { config: { caller: 'signed-in' } } as const;
const fresh = { config: { caller: 'fresh' } } as const;
const from = ({ ip, socket }: FastifyRequest): string => addressOf(ip, socket.remoteAddress);

/** Adds the routes. */
export function approvalRoutes(app: BrokerApp, parts: ApprovalRoutesParts): void {
  const { approvals, links, assertOrigin } = parts;

  app.post('/web/code', { ...signedIn, schema: { body: schemas.Code } }, async (request) => {
    const { code } = request.body;
    return { requestId: await approvals.findByCode(callerOf(request), code, from(request)) };
  });
  app.get('/web/pair/:requestId', { ...signedIn, schema: { params: schemas.Id } }, (request) =>
    approvals.view(callerOf(request), request.params.requestId, from(request)),
  );
  app.post(
    '/web/pair/:requestId/options',
    { ...signedIn, schema: { params: schemas.Id, body: schemas.Nothing } },
    (request) => approvals.begin(callerOf(request), request.params.requestId),
  );
  app.post(
    '/web/pair/:requestId/approve',
    {
      config: { caller: 'signed-in', asksOrigin: true },
      schema: { params: schemas.Id, body: schemas.Approve },
    },
    (request) => {
      const { params, body } = request;
      const assertOwn = (): void => assertOrigin(request);
      return approvals.approve(callerOf(request), params.requestId, body, assertOwn);
    },
  );
  app.post(
    '/web/pair/:requestId/deny',
    { ...signedIn, schema: { params: schemas.Id, body: schemas.Nothing } },
    ({ params }) => approvals.deny(params.requestId),
  );

  app.get('/web/link/:requestId', { ...signedIn, schema: { params: schemas.Id } }, ({ params }) =>
    links.view(params.requestId),
  );
  app.post(
    '/web/link/:requestId/approve',
    { ...fresh, schema: { params: schemas.Id, body: schemas.LinkApprove } },
    async (request, reply) => {
      await links.approve(callerOf(request), request.params.requestId, request.body);
      return reply.code(204).send();
    },
  );
  app.post(
    '/web/link/:requestId/deny',
    { ...signedIn, schema: { params: schemas.Id, body: schemas.Nothing } },
    async ({ params }, reply) => {
      await links.deny(params.requestId);
      return reply.code(204).send();
    },
  );
}
