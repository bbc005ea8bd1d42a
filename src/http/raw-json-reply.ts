import type { FastifyReply } from 'fastify';

/**
 * A reply with one key whose value is JSON text that is passed on. The text must be valid JSON: it
 * is neither parsed nor serialized here.
 */
export function sendRawJson<Key extends string>(
  reply: Pick<FastifyReply, 'serializer' | 'type'>,
  key: Key,
  json: string,
): Record<Key, unknown> {
  void reply.type('application/json; charset=utf-8');
  void reply.serializer(() => `{${JSON.stringify(key)}:${json}}`);
  return { [key]: null } as Record<Key, unknown>;
}
