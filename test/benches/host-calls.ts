/** What a page of changes costs a plugin in an action, in which a request waits, against an event. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { median, type Figure } from './figure.ts';
import { sized } from './size.ts';

const id = 'reader';
const pages = sized(15, 2);

const definition = `
  events: {
    'playback.progress': async (_event, host) => { kept.times = await read(host); },
  },
  actions: {
    read: (_input, host) => read(host),
    heard: () => kept.times,
  },
};
const kept = { times: null };
async function read(host) {
  const times = [];
  for (let page = 0, seq = 0; page < ${pages}; page += 1) {
    const from = performance.now();
    const read = await host.library.changes({ seq, limit: 100 });
    times.push(performance.now() - from);
    seq = read.done ? 0 : read.seq;
  }
  return times;
}
void {`;

interface Reply<Result> {
  readonly body: { readonly result: Result };
}

/** The median of a page, by where the plugin reads it. */
export async function benchHostCalls(): Promise<readonly Figure[]> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-'));
  const names = Array.from(
    { length: sized(2000, 100) },
    (_, at) => `Film ${at} (${1920 + (at % 100)}).mkv`,
  );
  const films = await createMediaTree(names);
  await writePlugin(data, {
    id,
    permissions: { library: 'read' },
    subscriptions: { events: ['playback.progress'] },
    actions: ['read', 'heard'],
    definition,
  });
  const server = await startServer({ data, args: ['--library', `movies:Films:${films.path}`] });
  try {
    const itemId = await lastItem(server, names.length);
    await server.request('PUT', `/api/plugins/${id}/permissions`, {
      granted: { library: 'read', hears: ['playback'] },
    });
    const act = async <Result>(name: string): Promise<Result> => {
      const reply = await server.request('POST', `/api/plugins/${id}/actions/${name}`, {});
      return (reply as Reply<Result>).body.result;
    };
    await until('the plugin answers', async () => Array.isArray(await act('read')));
    const asked = await act<readonly number[]>('read');
    await server.request('PUT', `/api/items/${itemId}/playback`, { position: 60, duration: 6000 });
    let heard: readonly number[] | null = null;
    // Rarely, since each request delays the event's pages.
    await until(
      'the event was heard',
      async () => {
        heard = await act<readonly number[] | null>('heard');
        return heard !== null;
      },
      120_000,
      2500,
    );
    return [
      {
        name: 'host call: a page of 100 changes, action against event',
        ours: median(asked),
        bare: median(heard ?? []),
        unit: 'ms',
        goal: 1.5,
      },
    ];
  } finally {
    await server.stop();
    await films.remove();
    await rm(data, { recursive: true });
  }
}

/** The id of an item, when all of them are there. */
async function lastItem(server: TestServer, count: number): Promise<string> {
  let itemId = '';
  await until('the library is scanned', async () => {
    const { libraries } = await server.get<{ libraries: readonly { itemCount: number }[] }>(
      '/api/libraries',
    );
    const { items } = await server.get<{ items: readonly { id: string }[] }>('/api/items?limit=1');
    itemId = items[0]?.id ?? '';
    return libraries[0]?.itemCount === count;
  });
  return itemId;
}
