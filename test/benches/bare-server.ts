/** A fastify with nothing around it, which answers paths with bytes that it is sent by its parent. */
import { fastify } from 'fastify';

const app = fastify();
const bodies = new Map<string, Buffer>();

for (const route of ['/api/items', '/api/health'])
  app.get(route, (request, reply) =>
    reply.type('application/json; charset=utf-8').send(bodies.get(request.url)),
  );

process.on('message', ({ path, body }: { readonly path: string; readonly body: string }) => {
  bodies.set(path, Buffer.from(body));
  process.send?.({ taken: path });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: await app.listen({ port: 0, host: '127.0.0.1' }) });
