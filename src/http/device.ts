import type { FastifyRequest } from 'fastify';
import type { Device } from '../accounts/index.ts';
import { addressOf } from './client-address.ts';

/** From where a request comes, as a list of sessions shows it; the name is what the client says. */
export const deviceOf = (request: FastifyRequest, name?: string): Device => ({
  name: name ?? null,
  userAgent: request.headers['user-agent'] ?? null,
  address: addressOf(request),
});
