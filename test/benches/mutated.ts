import { createMediaTree } from '../support/media/media-tree.ts';
import { mutatedFiles } from '../support/media/mutated-media.ts';
import { startServer } from '../support/servers/server.ts';
import { quantile, type Figure } from './figure.ts';
import { createClient, type Client } from './load.ts';
import { jobsEnd } from './scan.ts';
import { sized } from './size.ts';

const files = sized(1000, 40);
const requests = sized(300, 20);

/** What clients feel of it when a folder of broken media is ingested: p95 of a list, against idle. */
export async function benchMutated(): Promise<readonly Figure[]> {
  const tree = await createMediaTree();
  for (const { name, extension, bytes } of mutatedFiles('movies', files))
    await tree.write(`${name}.${extension}`, bytes);
  const server = await startServer({ args: ['--library', `movies:Films:${tree.path}`] });
  const client = createClient(server.url);
  await jobsEnd(server, ({ type }) => type === 'scan' || type === 'probe');
  await p95(client);
  const idle = await p95(client);
  const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
    '/api/libraries',
  );
  await server.request('DELETE', '/api/jobs?status=completed');
  for (const { id } of libraries)
    await server.request('POST', '/api/jobs', { type: 'refresh', libraryId: id });
  const busy = await p95(client);
  await jobsEnd(server, ({ type }) => type === 'refresh');
  client.close();
  await server.stop();
  await tree.remove();
  const name = `a list: p95 while ${files} broken files are ingested, against idle`;
  return [{ name, ours: busy, bare: idle, unit: 'ms', goal: 1.5 }];
}

async function p95(client: Client): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < requests; at++) times.push(await client.time('/api/items?limit=20'));
  return quantile(times, 0.95);
}
