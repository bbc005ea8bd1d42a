/**
 * A fastify with nothing around it. It answers paths with bytes that it is sent by its parent, and
 * `/rows` with 50 items of a database that it was told of, as one statement gives them.
 */
import { fastify } from 'fastify';
import { openBare, type BareDatabase } from './bare-limits.ts';

/** What its parent sends. */
type Order = { readonly path: string; readonly body: string } | { readonly database: string };

const app = fastify();
const bodies = new Map<string, Buffer>();
const pages = 180;
let database: BareDatabase | null = null;
let page = 0;

for (const route of ['/api/items', '/api/health'])
  app.get(route, (request, reply) =>
    reply.type('application/json; charset=utf-8').send(bodies.get(request.url)),
  );

app.get('/rows', async () => {
  page = (page + 1) % pages;
  const items = await database?.all(
    `select no, id, library_no, title, sort_title, year, certification, metadata, status, added_at,
      updated_at, assets, asset_aspects from items where no > ? order by no limit 50`,
    [page * 50],
  );
  return { items };
});

process.on('message', (order: Order) => {
  void follow(order).then(() => process.send?.({ isDone: true }));
});
process.on('disconnect', () => process.exit());
process.send?.({ url: await app.listen({ port: 0, host: '127.0.0.1' }) });

async function follow(order: Order): Promise<void> {
  if ('database' in order) database = await openBare(order.database);
  else bodies.set(order.path, Buffer.from(order.body));
}
