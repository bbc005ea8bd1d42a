/**
 * Attacks on what the machine has, many of them at once (by night all forty): the server answers all the time, a good
 * plugin beside them works, and every attack is over in the end. How fast all answers stay is measured
 * by `npm run bench -- attacks`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../support/plugins/open-sandboxes.ts';
import { processTree, until } from '../support/servers/server.ts';
import { goodPlugin, startAttackedServer, type AttackedServer } from './attacked-server.ts';
import { resourceAttacks } from './resource-attacks.ts';

const atOnce = 20;
const attacks = [...resourceAttacks.keys()];
/** A client that never paused would take of the machine what the attacks are to take. */
const betweenQuestionsMs = 50;

describe('under resource attacks', () => {
  let server: AttackedServer;
  let faults: string[];
  let endings: readonly string[];

  beforeAll(async () => {
    server = await startAttackedServer(['usual']);
    faults = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        for (const route of ['/api/health', '/api/items']) {
          await server.get(route).catch((error: unknown) => faults.push(String(error)));
        }
        await server.askGood().catch((error: unknown) => faults.push(String(error)));
        await pause(betweenQuestionsMs);
      }
    })();
    const waiting = [...attacks];
    const ends: string[] = [];
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        ends[one] = await server.attack(one, 'usual');
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    endings = attacks.map((attack) => ends[attack] ?? 'no end');
    isOver = true;
    await asking;
  }, 300_000);

  afterAll(async () => {
    const processes = await processTree(server.pid);
    expect(await server.stop()).toBe(0);
    await until('no plugin host is left', () => !processes.some(isAlive));
  });

  test('the server and a good plugin answer every question', () => {
    expect(faults).toEqual([]);
  });

  test('every attack comes to an end', () => {
    expect(resourceAttacks).toHaveLength(40);
    // Code without end, and memory without end, are never just contained.
    expect(endings).not.toContain('no end');
    expect(endings.filter((ending) => ending !== 'contained').length).toBeGreaterThan(
      attacks.length / 2,
    );
  });

  test('the good plugin was never restarted', async () => {
    const { plugin } = await server.get<{ plugin: object }>(`/api/plugins/${goodPlugin}`);

    expect(plugin).toMatchObject({ state: 'running', restartAttempts: 0, lastCrashAt: null });
  });
});
