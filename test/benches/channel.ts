import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { createDispatcher, type Dispatcher } from '../../kernel/call/dispatch.ts';
import { createHookChains } from '../../kernel/call/hooks/index.ts';
import { silentLog } from '../../kernel/log.ts';
import { unlimitedQuota } from '../../kernel/run/usage/call-quota.ts';
import { createCallQueue } from '../../kernel/run/usage/call-queue.ts';
import { createGate } from '../../kernel/run/permissions/gate.ts';
import { createServices } from '../../kernel/run/permissions/services.ts';
import { createPowerLog } from '../../kernel/run/usage/power-log.ts';
import { createSandboxes, type Sandbox, type Sandboxes } from '../../kernel/run/sandbox/index.ts';
import {
  createKvService,
  createTextIndexService,
  openStorage,
  type Storage,
} from '../../kernel/store/index.ts';
import { createViewAggregator } from '../../kernel/call/views/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { quantile, type Figure } from './figure.ts';
import { hostileMessages, type HostileMessage } from './hostile-messages.ts';
import { sized } from './size.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pluginId = 'hostile';
const timeoutMs = 20_000;
/** A processor that others use as well stops a thread at any time: the best of so many tries counts. */
const tries = 3;
const goalMs = 50;

/**
 * How long one message of a host process in the hands of an attacker holds the server's thread, at the
 * worst, of a thousand shapes. The process, its link, the gate and its services are the real ones.
 */
export async function benchChannel(only: string): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const hostScript = path.join(root, 'dist', `hostile-channel-host-${process.pid}.mjs`);
  await bundle(hostScript);
  const storage = await openStorage({ url: `sqlite:${folder}/db`, migrations: [], log: silentLog });
  const sandboxes = createSandboxes({
    nodePath: process.execPath,
    hostScript,
    guestRuntime: readFileSync(path.join(root, 'dist/guest-runtime.js'), 'utf8'),
    log: silentLog,
  });
  const server = openServer(sandboxes, storage);
  const holds: Hold[] = [];
  try {
    for (const [shape, message] of hostileMessages.entries()) {
      if (shape % 100 === 0) console.error(`     ${shape} messages`, worstOf(holds)[0] ?? '');
      if (shape % sized(1, 40) !== 0 || !message.name.includes(only)) continue;
      holds.push({ name: message.name, ms: await leastHold(server, shape, message) });
    }
  } finally {
    await sandboxes.stop();
    await storage.close();
    rmSync(folder, { recursive: true });
    rmSync(hostScript);
  }
  const worst = worstOf(holds);
  for (const { name, ms } of worst.slice(0, 5)) console.log(`     ${ms.toFixed(1)} ms  ${name}`);
  const figure = (name: string, ours: number): Figure => ({
    name,
    ours,
    bare: null,
    unit: 'ms',
    goal: goalMs,
  });
  return [
    figure(`channel: longest hold, worst of ${holds.length} messages`, worst[0]?.ms ?? Number.NaN),
    figure(
      'channel: longest hold, p99',
      quantile(
        holds.map(({ ms }) => ms),
        0.99,
      ),
    ),
  ];
}

/** How long a message held the thread. */
interface Hold {
  readonly name: string;
  readonly ms: number;
}

const worstOf = (holds: readonly Hold[]): readonly Hold[] => holds.toSorted((a, b) => b.ms - a.ms);

const bundle = (outfile: string) =>
  build({
    entryPoints: [path.join(import.meta.dirname, 'hostile-channel-host.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node24' },
  });

interface HostileServer {
  /** Resolves when the process runs; one that was ended has been replaced. */
  readonly ready: () => Promise<unknown>;
  /** Makes the server ask the plugin in the way of this message, and resolves when it was answered. */
  readonly provoke: (shape: number, message: HostileMessage) => Promise<unknown>;
}

/** Processes that have started before they are needed: most messages end the one that sends them. */
const spares = 4;

function openServer(sandboxes: Sandboxes, storage: Storage): HostileServer {
  const gate = openGate(storage);
  const waiting: Promise<Sandbox>[] = [];
  let now: Sandbox | undefined;
  const ask = asking(createDispatcher({ find: () => now }));

  async function start(): Promise<Sandbox> {
    const sandbox = await sandboxes.start({
      // Without `isLowPriority`, which would have it wait for its share of the reading.
      ...{ pluginId, script: '', memoryMb: 64, wasm: false, process: 'own' },
      ...{ services: {}, gate, onLog: () => undefined },
      onGone: () => {
        if (now === sandbox) now = undefined;
      },
    } as const);
    return sandbox;
  }

  return {
    ready: async () => {
      while (waiting.length < spares) {
        const spare = start();
        // The last ones are stopped before anybody waits for them.
        spare.catch(() => undefined);
        waiting.push(spare);
      }
      now ??= await waiting.shift();
    },
    provoke: (shape, message) => ask[message.carrier](shape),
  };
}

function openGate(storage: Storage) {
  const services = createServices();
  services.provide(createKvService(storage.kv));
  services.provide(createTextIndexService(storage.textIndex));
  return createGate({
    pluginId,
    granted: () => ({ kv: { quotaMb: 1000 }, textIndex: true }),
    reach: () => 'all',
    judge: { mayCall: () => true, mayCallFor: () => true },
    agreed: async () => null,
    services,
    quota: unlimitedQuota,
    bytes: unlimitedQuota,
    queue: createCallQueue(),
    counters: { calls: 0, refused: 0 },
    powers: createPowerLog(systemClock),
    onRefused: () => undefined,
    admitText: async () => undefined,
    newId: () => 'id',
    log: silentLog,
  });
}

/** The ways in which the server asks a plugin, each as it does it. */
function asking(
  dispatcher: Dispatcher,
): Record<HostileMessage['carrier'], (shape: number) => Promise<unknown>> {
  const chains = createHookChains({ dispatcher, log: silentLog });
  chains.subscribe(pluginId, { name: 'pipeline.scan.prepare' });
  const views = createViewAggregator({ dispatcher, log: silentLog, actionsOf: () => [] });
  views.subscribe(pluginId, ['ui.settings.sections']);
  const dispatch = (method: string, shape: number, more: object = {}) =>
    dispatcher.dispatch({
      pluginId,
      method,
      inputJson: JSON.stringify({ shape }),
      timeoutMs,
      ...more,
    });
  const call = (shape: number) => dispatch('search.query', shape);
  return {
    action: (shape) => dispatch('action.run', shape, { asText: true, maxReplyLength: 1024 * 1024 }),
    view: (shape) => views.collect('ui.settings.sections', { shape }),
    hook: (shape) =>
      chains.run('pipeline.scan.prepare', { libraryType: 'movies', fsPlugin: 'x', shape } as never),
    event: (shape) => dispatch('event.dispatch', shape, { ignoresReply: true }),
    ...{ call, kv: call, batch: call, index: call, bytes: call },
  };
}

async function leastHold(
  server: HostileServer,
  shape: number,
  message: HostileMessage,
): Promise<number> {
  let least = Infinity;
  for (let turn = 0; turn < tries && least > goalMs / 2; turn += 1) {
    await server.ready();
    least = Math.min(least, await holdOf(() => server.provoke(shape, message)));
  }
  return least;
}

/** The longest stretch without a turn of the event loop, as far as this thread had the processor. */
async function holdOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = stamp();
  const look = (): void => {
    const now = stamp();
    longest = Math.max(
      longest,
      Math.min(now.wallMs - last.wallMs, now.cpuMs - last.cpuMs + tickMs),
    );
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  // A consequence, such as the end of the process, may still be under way.
  await new Promise((resolve) => setTimeout(resolve, 5));
  isOver = true;
  return longest;
}

/** Systems count the time of a thread in ticks. */
const tickMs = 4;

function stamp(): { readonly wallMs: number; readonly cpuMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
