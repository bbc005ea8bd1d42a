/**
 * Limits the requests and the bytes of bodies under way. Requests above the limits, and all
 * requests while the server is overloaded, are answered 503 with `Retry-After` before they cost
 * anything. Health and metrics are always answered.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KernelError } from '../../kernel/index.ts';
import type { Excess } from '../operations/load-watch.ts';
import type { HttpApp } from './http-app.ts';
import { whenOver } from './under-way.ts';

/** What may be under way at a time. */
export interface OverloadLimits {
  /** Without streams, which have limits of their own. */
  readonly requests: number;
  readonly bodyBytes: number;
}

/** The limits, unless a test sets others. */
export const usualLimits: OverloadLimits = { requests: 500, bodyBytes: 64 * 1024 ** 2 };

/** What the check needs. */
export interface OverloadParts {
  /** Why the server as a whole accepts no requests; `null` = it does. */
  readonly excess: () => Excess | null;
  readonly limits: OverloadLimits;
  /** The largest body of a route without a limit of its own. */
  readonly largestBody: number;
}

/** Refuses requests above the limits. */
export function refuseOverload(app: HttpApp, parts: OverloadParts): void {
  const { excess, limits, largestBody } = parts;
  let requests = 0;
  let bodyBytes = 0;

  app.addHook('onRequest', (request, reply, done) => {
    const { answersAlways, isStream } = request.routeConfig;
    if (answersAlways === true) {
      done();
      return;
    }
    const body = arriving(request, request.routeOptions.bodyLimit ?? largestBody);
    const why = whyNot(body);
    if (why !== null) {
      done(new KernelError('overloaded', why));
      return;
    }
    count(reply, { requests: isStream === true ? 0 : 1, body });
    done();
  });

  function whyNot(body: number): string | null {
    if (excess() !== null) return 'The server is overloaded. Try again later.';
    if (requests >= limits.requests) return 'Too many requests are under way. Try again later.';
    if (body > 0 && bodyBytes + body > limits.bodyBytes)
      return 'Too much is being sent at once. Try again later.';
    return null;
  }

  /** Until the reply is sent, or the client is gone. */
  function count(
    { raw }: FastifyReply,
    { requests: some, body }: { readonly requests: number; readonly body: number },
  ): void {
    if (some === 0 && body === 0) return;
    requests += some;
    bodyBytes += body;
    whenOver(raw, () => {
      requests -= some;
      bodyBytes -= body;
    });
  }
}

/** How many bytes of body a request may still send; one without a length counts as the largest. */
export function arriving({ headers }: FastifyRequest, largest: number): number {
  if (headers['transfer-encoding'] !== undefined) return largest;
  const length = Number(headers['content-length'] ?? 0);
  return Math.min(largest, Number.isFinite(length) ? length : largest);
}
