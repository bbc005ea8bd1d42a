import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EndingReason, Sandboxes } from '../../kernel/run/sandbox/index.ts';
import type { HostGate } from '../../kernel/call/running-plugin.ts';
import {
  childPids,
  isAlive,
  openSandboxes,
  startPlugin,
  until,
  type TestPlugin,
} from '../support/plugins/open-sandboxes.ts';
import { sampleOf } from '../support/run/nightly.ts';

/** How an attack has to end. All but `ended` leave the plugin able to answer. */
export type AttackEnd =
  /** The call returns this. */
  | { readonly returns: unknown }
  /** The call throws with a message that matches. */
  | { readonly throws: RegExp }
  /** The call is timed out, the plugin goes on. */
  | 'timed-out'
  /** The plugin is ended for one of these reasons; its process too, since nobody else is in it. */
  | { readonly ended: readonly EndingReason[] }
  /** The plugin is ended, or it ran into an ordinary error: which of them depends on the machine. */
  | 'ended or contained';

/** A hostile plugin. */
export interface Attack {
  /** What stays true. */
  readonly claim: string;
  /** The body of `async (input, host) => { … }`. */
  readonly code: string;
  /** What runs when the plugin is loaded. */
  readonly prelude?: string;
  readonly end: AttackEnd;
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  readonly wasm?: boolean;
  readonly gate?: HostGate;
}

const loopMs = 400;
const shared: { sandboxes?: Sandboxes; neighbour?: TestPlugin } = {};

/** Declares one test per attack, for eight of them by day. One other plugin runs beside them, and answers after each attack. */
export function declareAttacks(attacks: readonly Attack[]): void {
  beforeAll(async () => {
    shared.sandboxes = openSandboxes();
    shared.neighbour = await startPlugin(shared.sandboxes, {
      pluginId: 'neighbour',
      definition: 'methods: { ping: () => "pong" },',
    });
  });

  afterAll(async () => {
    await shared.sandboxes?.stop();
    expect(childPids()).toEqual([]);
  });

  test.concurrent.each(sampleOf(attacks, 8))('$claim', async (attack) => {
    const { sandboxes, neighbour } = shared;
    if (sandboxes === undefined || neighbour === undefined) throw new Error('Nothing is set up.');
    await run(sandboxes, attack);
    expect(await neighbour.call('ping', {}, 10_000)).toEqual({ kind: 'returned', body: '"pong"' });
  });
}

async function run(sandboxes: Sandboxes, attack: Attack): Promise<void> {
  const { code, prelude = '', end, timeoutMs = loopMs, memoryMb = 64, wasm = false, gate } = attack;
  const pluginId = `attack: ${attack.claim}`;
  const plugin = await startPlugin(sandboxes, {
    pluginId,
    memoryMb,
    wasm,
    prelude,
    ...(gate && { gate }),
    definition: `methods: { attack: async (input, host) => { ${code} }, ping: () => "alive" },`,
  });
  const pid = sandboxes.report().find(({ pluginIds }) => pluginIds.includes(pluginId))?.pid ?? 0;
  try {
    const reply = await plugin.call('attack', {}, timeoutMs);
    if (end === 'ended or contained') {
      if (reply.kind === 'returned' || reply.kind === 'threw') return;
      expect(await answersOrEnds(plugin)).toBe(true);
    } else if (end === 'timed-out') {
      expect(reply).toEqual({ kind: 'timed-out' });
      await expectAlive(plugin);
    } else if ('returns' in end) {
      expect(reply).toEqual({ kind: 'returned', body: JSON.stringify(end.returns) });
      await expectAlive(plugin);
    } else if ('throws' in end) {
      expect(reply).toMatchObject({
        kind: 'threw',
        message: expect.stringMatching(end.throws) as string,
      });
      await expectAlive(plugin);
    } else {
      expect(['timed-out', 'gone']).toContain(reply.kind);
      const { reason } = await plugin.gone;
      expect(end.ended).toContain(reason);
      expect(await until(() => !isAlive(pid))).toBe(true);
    }
  } finally {
    await plugin.sandbox.stop();
  }
}

async function expectAlive(plugin: TestPlugin): Promise<void> {
  expect(await plugin.call('ping', {}, 10_000)).toEqual({ kind: 'returned', body: '"alive"' });
}

async function answersOrEnds(plugin: TestPlugin): Promise<boolean> {
  const ended = plugin.gone.then(() => true);
  const answered = plugin.call('ping', {}, 10_000).then(({ kind }) => kind === 'returned');
  return await Promise.any([ended, answered.then((yes) => yes || ended)]);
}
