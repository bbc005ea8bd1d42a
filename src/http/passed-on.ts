import type { FastifyReply } from 'fastify';

/**
 * An answer with one key, whose value is JSON text that the server only passes on. The text must be
 * sound; nothing here parses it or makes it anew.
 */
export function passOn<Key extends string>(
  reply: Pick<FastifyReply, 'serializer' | 'type'>,
  key: Key,
  json: string,
): Record<Key, unknown> {
  void reply.type('application/json; charset=utf-8');
  void reply.serializer(() => `{${JSON.stringify(key)}:${json}}`);
  return { [key]: null } as Record<Key, unknown>;
}
