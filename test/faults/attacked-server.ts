/**
 * A server with forty hostile plugins under some limits each, none of which runs before it is told to,
 * and a good one beside them. An attack is an event: its handler has 5 s.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { resourceAttacks, resourceLimits, type LimitName } from './resource-attacks.ts';
import { grant } from './watched-server.ts';
import { writePlugin, type PluginText } from './write-plugin.ts';

/** How an attack came to its end: it was contained and the plugin goes on, or the plugin was ended. */
export type AttackEnding = 'contained' | 'timed out' | 'ended';

/** The server, and what can be done to it. */
export interface AttackedServer extends TestServer {
  /** Lets one plugin attack; resolves when that is over. */
  readonly attack: (attack: number, limit: LimitName) => Promise<AttackEnding>;
  /** What the good plugin answers: after a look into its store, or after it has written there. */
  readonly askGood: (action?: 'ask' | 'keep') => Promise<unknown>;
}

/** The plugin that is attacked beside the server. */
export const goodPlugin = 'good';

/** The deadline of an event, and a moment. */
const longestMs = 6500;
const looksPerTrace = 4;
const powers = { kv: { quotaMb: 2 }, textIndex: true, events: 'emit', schedule: true };
const idOf = (attack: number, limit: LimitName): string => `a${attack}${limit}`;

const good: PluginText = {
  id: goodPlugin,
  permissions: { kv: { quotaMb: 1 }, events: 'emit' },
  actions: ['ask', 'keep', 'begin'],
  definition: `actions: {
    ask: (_, host) => host.kv.get({ key: 'k' }),
    keep: (_, host) => host.kv.set({ key: 'k', value: 1 }),
    begin: ({ name }, host) => host.events.emit({ type: 'plugin.${goodPlugin}.' + name, data: {} }),
  },`,
};

function hostile(attack: number, limit: LimitName): PluginText {
  const { code = '', wasm } = resourceAttacks[attack] ?? {};
  const id = idOf(attack, limit);
  return {
    id,
    permissions: wasm ? { ...powers, wasm } : powers,
    subscriptions: { events: [`plugin.${goodPlugin}.${id}`] },
    further: { resources: { ...resourceLimits[limit], starts: 'on-demand' } },
    actions: ['wake'],
    definition: `actions: { wake: () => null }, events: { 'plugin.${goodPlugin}.${id}': async (input, host) => {
      const slug = '${id}';
      try { ${code} } finally { console.warn('it is over'); }
    } },`,
  };
}

/** Starts it with the plugins of some limits; `attacks`: of these alone. */
export async function startAttackedServer(
  limits: readonly LimitName[],
  attacks: readonly number[] = [...resourceAttacks.keys()],
): Promise<AttackedServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-attacked-'));
  const plugins = limits.flatMap((limit) => attacks.map((attack) => hostile(attack, limit)));
  for (const plugin of [good, ...plugins]) await writePlugin(data, plugin);
  const server = await startServer({ data });
  await Promise.all(
    [good, ...plugins].map(({ id, permissions }) => grant(server, id, permissions)),
  );

  const act = (id: string, action: string, params: object = {}) =>
    server.request('POST', `/api/plugins/${id}/actions/${action}`, params);

  async function askGood(action: string, params: object = {}): Promise<unknown> {
    const { status, body } = await act(goodPlugin, action, params);
    if (status === 200) return (body as { result: unknown }).result;
    throw new Error(`The good plugin could not ${action}: ${status} ${JSON.stringify(body)}`);
  }

  async function lastCrash(id: string): Promise<string | null> {
    return (await server.get<{ plugin: Traces }>(`/api/plugins/${id}`)).plugin.lastCrashAt;
  }

  async function traces(id: string): Promise<Traces> {
    const at = `/api/plugins/${id}`;
    const { usage } = await server.get<{ usage: Counts }>(`${at}/usage`);
    const { lines } = await server.get<{ lines: { text: string }[] }>(`${at}/logs`);
    const over = lines.filter(({ text }) => text === 'it is over').length;
    const { calls, timeouts } = usage;
    return { lastCrashAt: await lastCrash(id), calls, timeouts, over };
  }

  return {
    ...server,
    askGood: (action = 'ask') => askGood(action),
    attack: async (attack, limit) => {
      const id = idOf(attack, limit);
      // Its process is there before the attack begins, so that the attack has all of its time.
      await until(`${id} is awake`, async () => (await act(id, 'wake')).status === 200);
      const before = await traces(id);
      let ending: AttackEnding | null = null;
      let calledAt: number | null = null;
      let looks = 0;
      await askGood('begin', { name: id });
      await until(
        `${resourceAttacks[attack]?.name ?? ''} is over`,
        async () => {
          // A log is long, and reading it must not be what slows the server down: seldom.
          if (++looks % looksPerTrace > 0 && (await lastCrash(id)) === before.lastCrashAt)
            return false;
          const after = await traces(id);
          if (after.lastCrashAt !== before.lastCrashAt) ending = 'ended';
          else if (after.over > before.over) ending = 'contained';
          else if (after.timeouts > before.timeouts) ending = 'timed out';
          else if (after.calls > before.calls) {
            calledAt ??= performance.now();
            // Its last words may be lost among too many: past its deadline it is over without them.
            if (performance.now() - calledAt > longestMs) ending = 'contained';
          }
          return ending !== null;
        },
        undefined,
        250,
      );
      return ending ?? 'ended';
    },
    stop: async () => {
      const code = await server.stop();
      await rm(data, { recursive: true });
      return code;
    },
  };
}

interface Counts {
  readonly calls: number;
  readonly timeouts: number;
}

interface Traces extends Counts {
  readonly lastCrashAt: string | null;
  /** How often it said that it was over. */
  readonly over: number;
}
