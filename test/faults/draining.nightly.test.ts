/** A server that is asked to stop while a balancer still sends it requests. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createMediaTree } from '../support/media/media-tree.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until } from '../support/servers/server.ts';

const sizeBytes = 48 * 1024 * 1024;
/** What a request that is not a file has from then on. */
const cutMs = 3000;
const authorization = `Bearer ${adminToken}`;

test('a stopping server says so at once, goes on answering, and completes a file under way', async () => {
  const tree = await createMediaTree();
  onTestFinished(tree.remove);
  await tree.write('Long (2001)/Long (2001).mkv', new Uint8Array(sizeBytes));
  const server = await startServer({
    args: ['--library', `movies:Films:${tree.path}`, '--ingest', 'off', '--drain-seconds', '3'],
  });
  await jobsOver(server);
  const [item] = await allItems(server);
  const open = async (route: string): Promise<IncomingMessage> => {
    const request = get(server.url + route, { headers: { authorization }, agent: false });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    return reply;
  };
  const events = await open('/api/events?types=server.shutdown');
  let heard = '';
  events.on('data', (part: Buffer) => (heard += part.toString()));
  const file = await open(`/api/files/${item?.files[0]?.id ?? ''}/stream`);
  const stopped = server.stop();
  await until(
    'it is not ready',
    async () => (await server.request('GET', '/api/ready')).status === 503,
  );
  const list = await open('/api/libraries');
  list.resume();
  await until('the event is heard', () => heard.includes('server.shutdown'));
  const isClosed = (): Promise<boolean> =>
    server.request('GET', '/api/ready').then(
      () => false,
      () => true,
    );
  await until('the port is closed', isClosed);
  const closedAt = performance.now();
  await until('other requests would be cut', () => performance.now() - closedAt > cutMs + 500);
  let received = 0;
  for await (const part of file) received += (part as Buffer).length;

  expect([list.statusCode, list.headers.connection, received]).toEqual([200, 'close', sizeBytes]);
  expect(await stopped).toBe(0);
});
