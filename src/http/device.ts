import type { FastifyRequest } from 'fastify';
import type { Device } from '../people/accounts/index.ts';
import { addressOf } from './client-address.ts';

/** The device of a request, as a list of sessions shows it; the client chooses the name. */
export const deviceOf = (request: FastifyRequest, name?: string): Device => ({
  name: name ?? null,
  userAgent: request.headers['user-agent'] ?? null,
  address: addressOf(request),
});
