import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDispatcher } from '../../kernel/call/dispatch.ts';
import { createEventBus } from '../../kernel/call/events/index.ts';
import { createHookChains } from '../../kernel/call/hooks/index.ts';
import { silentLog } from '../../kernel/log.ts';
import { createSandboxes, type Sandbox } from '../../kernel/run/sandbox/index.ts';
import { createViewAggregator } from '../../kernel/call/views/index.ts';
import type { HostGate } from '../../kernel/call/running-plugin.ts';
import { serverViewer } from '../../src/people/viewer/index.ts';
import { createPluginReach, createPluginViewers } from '../../src/plugins/scopes/index.ts';
import { median, type Figure } from './figure.ts';
import { forkProgram } from './forked.ts';
import { sized } from './size.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');

const [rounds, warmUp] = [sized(3000, 30), sized(500, 5)];

/** An event of about 200 bytes. */
const item = {
  itemId: '0193f3c1-1111-7222-8333-444455556666',
  libraryId: '0193f3c1-aaaa-7bbb-8ccc-ddddeeeeffff',
  title: 'The Silent Harbor of Montréal',
};
const envelope = JSON.stringify({
  type: 'library.item.added',
  timestamp: '2026-11-21T07:44:53.123Z',
  data: item,
});

const script = `var __plugin = { default: {
  events: { 'library.item.added': ({ data }) => data },
  hooks: { 'pipeline.scan.prepare': () => null },
  views: {
    'ui.item.detail.panels': async ({ itemId }, host) => {
      const { title } = await host.library.item({ itemId });
      return [{ type: 'metadata', slot: 'detail-metadata', id: 'a', title, layout: 'chips', fields: [] }];
    },
  },
} };`;

/** Round trips into a plugin in its own process, and deliveries into plugins that share one. */
export async function benchDispatch(): Promise<readonly Figure[]> {
  const sandboxes = createSandboxes({
    nodePath: process.execPath,
    hostScript: path.join(dist, 'plugin-host.mjs'),
    guestRuntime: readFileSync(path.join(dist, 'guest-runtime.js'), 'utf8'),
    log: silentLog,
  });
  const start = (pluginId: string, where: 'own' | 'shared') =>
    sandboxes.start({
      pluginId,
      script,
      memoryMb: 64,
      wasm: false,
      process: where,
      services: { library: ['item'] },
      gate,
      onLog: () => undefined,
      onGone: ({ message }) => console.error(message),
    });
  const alone = await start('alone', 'own');
  const shared = await Promise.all([1, 2, 3, 4].map((n) => start(`shared-${n}`, 'shared')));
  const figures = [
    ...(await roundTrips(alone)),
    await viewsForViewers(alone),
    await deliveries(shared),
  ];
  await sandboxes.stop();
  return figures;
}

const viewers = createPluginViewers(Buffer.alloc(32));
const viewer = viewers.toPlugins({ ...serverViewer, role: 'user' });
/** The access filter of a server, over a library that is in memory. */
const reach = createPluginReach({
  locations: {
    libraries: () => [{ id: item.libraryId, name: 'Films', roots: ['file:///media/films'] }],
    ofItems: async () => new Map(),
    named: async () => ({ items: [], entities: [] }),
    isHidden: () => false,
  },
  visibility: {
    seesAll: () => false,
    showsHidden: () => false,
    visibilityIn: () => 'all',
    visibilityOf: async (_viewer, ids) => new Map(ids.map((id) => [id, true])),
    seesFile: async () => true,
    seesNamed: async () => true,
  },
  viewers,
  inspect: async () => ({ ok: true }),
  runsJobs: () => false,
  personOf: async () => null,
  ownsSessions: async () => true,
  authors: {
    withSlug: () => [],
    runnerOf: () => undefined,
    reachOf: () => 'all',
    isOwn: () => false,
  },
});

/** A host call is judged where it is made for somebody, as the gate does it. */
const gate: HostGate = async ({ service, method, body, viewer: person }) => {
  const call = `${service}.${method}`;
  const input: unknown = JSON.parse(String(body));
  if (person && !(await reach.mayCallFor(person, { pluginId: 'alone', call, input })))
    return { ok: false, code: 'permission_denied', message: '' };
  return { ok: true, body: JSON.stringify({ title: item.title }) };
};

/** A view of a plugin that asks for an item, for somebody and for nobody, one after the other. */
async function viewsForViewers(plugin: Sandbox): Promise<Figure> {
  const dispatcher = createDispatcher({ find: () => plugin });
  const views = createViewAggregator({ dispatcher, log: silentLog, actionsOf: () => [] });
  views.subscribe(plugin.pluginId, ['ui.item.detail.panels']);
  const context = { itemId: item.itemId, libraryType: 'movies' };
  const forNobody = () => views.collect('ui.item.detail.panels', context);
  const forSomebody = () => views.collect('ui.item.detail.panels', context, viewer);
  if ((await forSomebody()).length !== 1) throw new Error('The view for somebody is empty.');
  const times = { nobody: [] as number[], somebody: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.nobody.push(await timed(forNobody));
    times.somebody.push(await timed(forSomebody));
  }
  return {
    name: 'dispatch: a view for a viewer, against one for nobody',
    ours: median(times.somebody.slice(warmUp)) * 1000,
    bare: median(times.nobody.slice(warmUp)) * 1000,
    unit: 'µs',
    goal: 1.2,
  };
}

async function roundTrips(plugin: Sandbox): Promise<readonly Figure[]> {
  const bare = await startBare();
  const dispatcher = createDispatcher({ find: () => plugin });
  const chains = createHookChains({ dispatcher, log: silentLog });
  chains.subscribe(plugin.pluginId, { name: 'pipeline.scan.prepare' });
  const event = () =>
    dispatcher.dispatch({
      pluginId: plugin.pluginId,
      method: 'event.dispatch',
      inputJson: envelope,
      timeoutMs: 5000,
    });
  const hook = () => chains.run('pipeline.scan.prepare', { libraryType: 'movies', fsPlugin: 'x' });
  const times = { event: [] as number[], hook: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await timed(bare.echo));
    times.event.push(await timed(event));
    times.hook.push(await timed(hook));
  }
  bare.stop();
  const figure = (name: string, ours: readonly number[]): Figure => ({
    name,
    ours: median(ours.slice(warmUp)) * 1000,
    bare: median(times.bare.slice(warmUp)) * 1000,
    unit: 'µs',
    goal: 2,
  });
  return [
    figure('dispatch: event round trip, own process', times.event),
    figure('dispatch: hook round trip, own process', times.hook),
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function startBare() {
  const { child, orEnd } = forkProgram('bare/bare-host.ts', {
    execArgv: ['--no-node-snapshot'],
    serialization: 'advanced',
  });
  const waiting = new Map<number, () => void>();
  const answer = (id: number) =>
    orEnd(
      new Promise<void>((resolve) => {
        waiting.set(id, resolve);
      }),
    );
  child.on('message', ({ id }: { id: number }) => {
    waiting.get(id)?.();
    waiting.delete(id);
  });
  await answer(-1);
  let last = 0;
  return {
    echo: () => {
      const id = ++last;
      child.send({ id, json: envelope });
      return answer(id);
    },
    stop: () => child.kill('SIGKILL'),
  };
}

async function deliveries(plugins: readonly Sandbox[]): Promise<Figure> {
  const dispatcher = createDispatcher({
    find: (id) => plugins.find(({ pluginId }) => pluginId === id),
  });
  const bus = createEventBus({ dispatcher, log: silentLog });
  for (const { pluginId } of plugins) bus.subscribePlugin(pluginId, ['library.item.*']);
  const run = async (events: number) => {
    const start = performance.now();
    for (let sent = 0; sent < events; sent++) {
      if (sent % 250 === 0) await bus.room(10_000);
      bus.emit('library.item.added', item);
    }
    await bus.drain(30_000);
    return (performance.now() - start) / 1000;
  };
  await run(sized(5000, 500));
  const before = plugins.map(({ pluginId }) => bus.counters(pluginId).delivered);
  const seconds = await run(sized(20_000, 1000));
  const delivered = plugins.reduce(
    (sum, { pluginId }, at) => sum + bus.counters(pluginId).delivered - (before[at] ?? 0),
    0,
  );
  return {
    name: 'dispatch: deliveries a second into the built-ins',
    ours: delivered / seconds,
    bare: null,
    unit: '/s',
    goal: -60_000,
  };
}
