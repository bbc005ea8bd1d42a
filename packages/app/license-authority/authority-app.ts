import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Log } from '../../../kernel/index.ts';
import type { RequestRate } from './request-rate.ts';
import type { SeatOutcome, SeatRequest, Seats } from './seats.ts';

/** The dependencies of the service. */
export interface AuthorityAppParts {
  readonly seats: Seats;
  readonly rate: RequestRate;
  readonly log: Log;
}

const seatRequest = {
  type: 'object',
  additionalProperties: false,
  required: ['licenseKey', 'serverId'],
  properties: {
    licenseKey: { type: 'string', maxLength: 8192 },
    serverId: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
  },
};

/** The activation service over HTTP. Its replies are JSON, and never contain a key. */
export function createAuthorityApp({ seats, rate, log }: AuthorityAppParts): FastifyInstance {
  const app = fastify({
    bodyLimit: 16_384,
    requestTimeout: 10_000,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });

  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (request.method !== 'POST') return;
    const seconds = rate.waitOf(request.ip);
    if (seconds === 0) return;
    void reply.header('retry-after', seconds);
    await reply.code(429).send(failure('RATE_LIMITED', `Try again in ${seconds} s.`));
  });

  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send(failure('INVALID_REQUEST', error.message));
    log.error({ err: error }, 'A request failed.');
    return reply
      .code(500)
      .send(failure('INTERNAL', 'The authority failed; the reason is in its log.'));
  });

  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(failure('NOT_FOUND', 'Not found.')),
  );

  app.get('/api/health', () => ({ status: 'ok' }));

  for (const [verb, ask] of [
    ['activate', seats.take],
    ['deactivate', seats.release],
  ] as const) {
    app.post<{ Body: SeatRequest }>(
      `/api/licenses/${verb}`,
      { schema: { body: seatRequest } },
      async ({ body }, reply) => {
        const outcome = await ask(body);
        log.info(
          { serverId: body.serverId, outcome: outcome.kind },
          `A server requests to ${verb}.`,
        );
        return sendOutcome(outcome, reply);
      },
    );
  }

  return app;
}

function sendOutcome(outcome: SeatOutcome, reply: FastifyReply): FastifyReply {
  switch (outcome.kind) {
    case 'taken':
      return reply.send({ ok: true, current: outcome.current, max: outcome.max });
    case 'released':
      return reply.send({ ok: true, released: outcome.wasHeld });
    case 'full': {
      const { current, max } = outcome;
      const message = `All ${max} seats of the license are taken.`;
      return reply.code(409).send({ ok: false, conflict: true, current, max, message });
    }
    case 'refused':
      return reply.code(400).send(failure(outcome.code, outcome.message));
  }
}

const failure = (code: string, message: string) => ({ ok: false, code, message });
