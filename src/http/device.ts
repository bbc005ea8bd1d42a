import type { FastifyRequest } from 'fastify';
import type { Device } from '../accounts/index.ts';

/** From where a request comes, as a list of sessions shows it; the name is what the client says. */
export const deviceOf = ({ ip, headers }: FastifyRequest, name?: string): Device => ({
  name: name ?? null,
  userAgent: headers['user-agent'] ?? null,
  address: ip,
});
