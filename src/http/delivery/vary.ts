import type { FastifyReply } from 'fastify';

/** Says that the reply depends on a header, beside those that it depends on already: caches store one for each. */
export function addVary(reply: FastifyReply, name: string): void {
  const given = reply.getHeader('vary');
  void reply.header('vary', given === undefined ? name : `${String(given)}, ${name}`);
}
