import { adminToken, type TestServer } from '../../support/servers/server.ts';
import type { BareServer } from '../bare/start-bare.ts';
import { quantile, type Figure } from '../figure.ts';
import { createClient, type Client } from '../load.ts';
import { sized } from '../size.ts';

/** A server with a library, and a bare one beside it. */
export interface CatalogueBench {
  readonly server: TestServer;
  /** Asks the server one request after the other. */
  readonly client: Client;
  readonly bare: BareServer;
  /** The file of the server's database. */
  readonly database: string;
  /** How many files the library has. */
  readonly count: number;
}

/** Measures one thing of the catalogue. */
export type CatalogueFigures = (bench: CatalogueBench) => Promise<readonly Figure[]>;

const rounds = sized(300, 5);
const warmUp = sized(30, 1);

/** A reply that the server keeps, against a fastify that sends the same bytes, in turn. */
export async function kept(
  { server, client, bare }: CatalogueBench,
  { name, route, goal }: { readonly name: string; readonly route: string; readonly goal: number },
): Promise<readonly Figure[]> {
  const reply = await fetch(server.url + route, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  await bare.serve(route, await reply.text());
  const other = createClient(bare.url);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const times = [await client.time(route), await other.time(route)] as const;
    if (round < 0) continue;
    ours.push(times[0]);
    theirs.push(times[1]);
  }
  other.close();
  return [
    {
      name: `${name}, p50`,
      ours: quantile(ours, 0.5),
      bare: quantile(theirs, 0.5),
      unit: 'ms',
      goal,
    },
  ];
}

/** Milliseconds of a request that is made each time, since something was written before it. */
export async function writeBetween(
  { server, client }: Pick<CatalogueBench, 'server' | 'client'>,
  route: string,
  times: number,
): Promise<readonly number[]> {
  const { items } = await server.get<{ items: readonly { id: string }[] }>('/api/items?limit=1');
  const mark = `/api/items/${items[0]?.id ?? ''}/favourite`;
  const measured: number[] = [];
  for (let at = 0; at < sized(times, 2); at++) {
    await server.request(at % 2 === 0 ? 'PUT' : 'DELETE', mark);
    measured.push(await client.time(route));
  }
  return measured;
}
