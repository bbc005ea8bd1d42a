import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { collectedBytes, inspected } from './collected-bytes.ts';
import { quantile, type Figure } from './figure.ts';
import { forkProgram, type Forked } from './forked.ts';
import { cpuMsOf } from './hammer.ts';
import type { FromClients, ToClients } from './live-clients.ts';
import { sized } from './size.ts';

const single = sized(20, 2);
const burst = sized(200, 10);

/**
 * So many clients of the events, half of them by server-sent events and half by WebSocket, from a
 * process of their own: what each costs, how long an event takes to all, and whether all hear all.
 */
export async function benchLive(clients: number): Promise<readonly Figure[]> {
  const tree = await createMediaTree();
  const many = ['--event-clients', '5000', '--event-clients-per-user', '5000'];
  const server = await startServer({
    env: inspected,
    args: [...many, '--connections-per-address', '0', '--library', `movies:Films:${tree.path}`],
  });
  const program = forkProgram('live-clients.ts', { execArgv: [] });
  try {
    const before = await collectedBytes(server);
    await said(program, { open: { url: server.url, token: adminToken, each: clients / 2 } });
    const after = await collectedBytes(server);
    const rename = await renamer(server);

    const each = (part: 'held' | 'resident') => (after[part] - before[part]) / clients / 1024;
    const spread: number[] = [];
    const cpuAtFirst = await cpuMsOf(server.pid);
    for (let count = 0; count < single; count += 1) {
      await rename();
      spread.push(...(await heard(program, clients)));
    }
    const cpuBefore = await cpuMsOf(server.pid);
    for (let count = 0; count < burst; count += 1) await rename();
    const bursts = await heard(program, clients * burst);
    const cpuMs = (await cpuMsOf(server.pid)) - cpuBefore;
    const cpuOfOne = (cpuBefore - cpuAtFirst) / single;

    const value = (name: string, ours: number, unit: string, goal: number): Figure => ({
      ...{ name: `live: ${name}, ${clients} clients`, ours, bare: null, unit, goal },
    });
    return [
      value('memory that the server holds for each', each('held'), 'KiB', 40),
      value('resident memory for each', each('resident'), 'KiB', 80),
      value('one event to all, p50', quantile(spread, 0.5), 'ms', 100),
      value('one event to all, p99', quantile(spread, 0.99), 'ms', 250),
      value(`${burst} events in a row to all, p99`, quantile(bursts, 0.99), 'ms', 2000),
      value('processor time of one event to all', cpuOfOne, 'ms', 100),
      value(
        `processor time of a delivery, of ${burst} events in a row`,
        cpuMs / bursts.length,
        'ms',
        0.05,
      ),
    ];
  } finally {
    program.child.disconnect();
    await server.stop();
    await tree.remove();
  }
}

/** Each call makes one event. */
async function renamer(server: TestServer): Promise<() => Promise<void>> {
  const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
    '/api/libraries',
  );
  const id = libraries[0]?.id ?? '';
  let times = 0;
  return async () => {
    times += 1;
    const { status } = await server.request('PATCH', `/api/libraries/${id}`, {
      name: `Films ${times}`,
    });
    if (status !== 200) throw new Error(`PATCH /api/libraries: ${status}`);
  };
}

/** Waits until so many deliveries have arrived, and gives how long each took. */
async function heard(program: Forked, count: number): Promise<readonly number[]> {
  const all: number[] = [];
  await until(
    `${count} deliveries`,
    async () => {
      const told = await said(program, { tell: true });
      if (!('delays' in told)) throw new Error('It told of something else.');
      if (told.closed > 0) throw new Error(`${told.closed} clients were closed.`);
      for (const delay of told.delays) all.push(delay);
      return all.length >= count;
    },
    120_000,
    50,
  );
  if (all.length > count) throw new Error(`${all.length} deliveries in place of ${count}.`);
  return all;
}

function said({ child, orEnd }: Forked, message: ToClients): Promise<FromClients> {
  const answer = new Promise<FromClients>((resolve) => {
    child.once('message', (told) => resolve(told as FromClients));
  });
  child.send(message);
  return orEnd(answer);
}
