/** Upgrades that fail at every moment at which they can: the old version is back, whole, in 5 seconds. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KernelError } from '../../kernel/errors.ts';
import type { Sandbox, Sandboxes } from '../../kernel/run/sandbox/index.ts';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from '../plugins/plugin-server.ts';
import { createPublisher } from '../support/plugins/packages.ts';
import { createFaultPlan, installFirst, oldState, stateOf, versionOf } from './failing-upgrade.ts';

const signer = createPublisher();
const id = 'keeper';

/** A version that never answers is given up after so long; nobody waits for that here. */
const longestStartMs = 30_000;
const deadlines = new Set<() => void>();
/** The starts of sandboxes from now on, as a test wants them. */
let launch: ((start: Sandboxes['start']) => Sandboxes['start']) | null = null;
const plan = createFaultPlan();
let folder: PluginFolder;
let server: PluginServer;

beforeAll(async () => {
  folder = await createPluginFolder();
  server = await startPluginServer(folder, [], {
    database: plan.database,
    disk: plan.disk,
    sandboxes: (start) => (spec) => (launch?.(start) ?? start)(spec),
    clock: {
      now: Date.now,
      after: (delayMs, run) => {
        const timer = setTimeout(run, delayMs).unref();
        if (delayMs === longestStartMs) deadlines.add(run);
        return () => {
          clearTimeout(timer);
          deadlines.delete(run);
        };
      },
    },
  });
  await installFirst(server, signer);
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const fail = (moment: string): never => {
  throw Object.assign(new Error(`${moment} (induced)`), { code: 'ENOSPC' });
};

const record = () => server.plugins.installs.find(id);

const refusedBy = (error: unknown): unknown => (error as { readonly code: unknown }).code;
const isOfDisk = (moment: string): boolean => /makeFolder|writeFile|syncFolder|rename/.test(moment);

/** Nothing but the old version is there, and it answers as before. */
async function expectOldBack(): Promise<void> {
  expect(await stateOf(server)).toEqual(oldState);
  expect(record()).toMatchObject({ version: '1.0.0', phase: 'settled' });
  expect(server.plugins.registry.get(id)).toMatchObject({ version: '1.0.0', state: 'running' });
}

/** A start without an end, whose time is over at once. */
function neverAnswers(): Promise<Sandbox> {
  setImmediate(() => {
    for (const isOver of deadlines) isOver();
  });
  return new Promise(() => undefined);
}

/** How many moments an upgrade has, and that it works without a fault. */
async function upgradeWithoutFault(version = '1.1.0'): Promise<readonly string[]> {
  plan.begin([], fail);
  const outcome = await server.plugins.installs.place(await versionOf(version, signer), {
    source: null,
  });
  plan.end();
  expect(outcome).toMatchObject({ kind: 'done', plugin: { version, state: 'running' } });
  return [...plan.moments];
}

describe('an upgrade', () => {
  test('brings new code to the configuration and the data that are there', async () => {
    const moments = await upgradeWithoutFault();

    expect(await stateOf(server)).toEqual({ ...oldState, version: '1.1.0' });
    expect(record()).toMatchObject({ phase: 'watched', earlier: [{ version: '1.0.0' }] });
    expect(moments.length).toBeGreaterThan(50);
  });

  test('is taken back by an admin, with everything as it was before', async () => {
    await server.plugins.configuration.set(id, { name: 'new' });
    await server.plugins.actions.call(id, 'write', { text: 'new' });

    const outcome = await server.plugins.installs.rollBack(id, { version: '1.0.0' });

    expect(outcome).toMatchObject({ kind: 'done', plugin: { version: '1.0.0', state: 'running' } });
    await expectOldBack();
  });

  test('that fails at any moment leaves the old version with its configuration and data', async () => {
    // A version that was there before would be forgotten first: a moment more.
    const moments = await upgradeWithoutFault('1.1.1');
    await server.plugins.installs.rollBack(id, { version: '1.0.0' });
    const archive = await versionOf('1.2.0', signer);
    for (const [at, moment] of [...moments.entries()]) {
      plan.begin([at], (what) => {
        fail(what);
      });
      const place = server.plugins.installs.place(archive, { source: null });
      const outcome = await place.then(({ kind }) => kind, refusedBy);
      plan.end();
      // A disk that takes nothing is told as such, since the package has no fault.
      expect([at, moment, outcome]).toEqual([at, moment, isOfDisk(moment) ? 'ENOSPC' : 'refused']);
      await expectOldBack();
    }

    expect(moments.length).toBeGreaterThanOrEqual(50);
  }, 240_000);

  test('that fails, and whose taking back fails at first as well, leaves the old version', async () => {
    const archive = await versionOf('1.2.0', signer);
    const broken: typeof launch = (start) => (spec) =>
      spec.script.includes('1.2.0')
        ? Promise.reject(new KernelError('plugin_failed', 'It is broken.'))
        : start(spec);
    plan.begin([], fail);
    launch = broken;
    await server.plugins.installs.place(archive, { source: null });
    launch = null;
    plan.end();
    const first = plan.moments.findIndex((moment) => moment === 'after a commit') + 1;
    const last = plan.moments.length;
    for (let at = first; at < last; at += 3) {
      plan.begin([at], fail);
      launch = broken;
      const outcome = await server.plugins.installs.place(archive, { source: null });
      launch = null;
      plan.end();
      expect(outcome).toMatchObject({ kind: 'refused', code: 'START_FAILED' });
      await expectOldBack();
    }
  });

  const isNew = (spec: Parameters<Sandboxes['start']>[0]): boolean => spec.script.includes('2.0.0');

  test.each<[string, (start: Sandboxes['start']) => Sandboxes['start']]>([
    [
      'does not start',
      (start) => (spec) =>
        isNew(spec) ? Promise.reject(new KernelError('plugin_failed', 'No.')) : start(spec),
    ],
    [
      'crashes at each start',
      (start) => (spec) => (isNew(spec) ? Promise.reject(new Error('gone')) : start(spec)),
    ],
    ['never answers', (start) => (spec) => (isNew(spec) ? neverAnswers() : start(spec))],
  ])('to a version that %s is taken back by itself', async (_, faulty) => {
    launch = faulty;
    const archive = await versionOf('2.0.0', signer);

    const outcome = await server.plugins.installs.place(archive, { source: null });

    launch = null;
    expect(outcome).toMatchObject({ kind: 'refused', code: 'START_FAILED' });
    await expectOldBack();
  });

  test('to a version whose code throws is taken back by itself', async () => {
    const archive = await versionOf('2.0.0', signer, { more: "throw new Error('No.');" });

    const outcome = await server.plugins.installs.place(archive, { source: null });

    expect(outcome).toMatchObject({ kind: 'refused', code: 'START_FAILED' });
    expect(server.plugins.usage.logs(id).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^This version is taken back/),
    );
    await expectOldBack();
  });

  test('to a version that crashes three times in its first minutes is taken back by itself', async () => {
    const gone: (() => void)[] = [];
    launch = (start) => async (spec) => {
      const sandbox = await start(spec);
      if (isNew(spec)) {
        gone.push(() => {
          void sandbox.stop();
          spec.onGone({ reason: 'exited', message: 'It crashed.' });
        });
      }
      return sandbox;
    };
    const archive = await versionOf('2.0.0', signer);
    const outcome = await server.plugins.installs.place(archive, { source: null });
    await server.plugins.actions.call(id, 'write', { text: 'new' });
    await server.plugins.configuration.set(id, { name: 'new' });
    const crashed = async (times: number): Promise<void> => {
      await expect.poll(() => gone.length, { timeout: 15_000 }).toBe(times);
      await expect.poll(() => server.plugins.registry.get(id).state).toBe('running');
      gone[times - 1]?.();
    };
    await crashed(1);
    await crashed(2);
    await crashed(3);

    await expect.poll(() => record()?.version, { timeout: 5000 }).toBe('1.0.0');
    await expect
      .poll(() => server.plugins.registry.get(id).state, { timeout: 5000 })
      .toBe('running');

    launch = null;
    expect(outcome).toMatchObject({ kind: 'done' });
    await expectOldBack();
    expect(server.witnessed.at(-1)).toMatch(/^rolled-back: It crashed 3 times/);
  });

  test('that asks for more waits, says for what, and changes nothing until that is granted', async () => {
    const fields = {
      permissions: { kv: { quotaMb: 5 }, textIndex: true, net: ['api.example.org'] },
    };
    const archive = await versionOf('3.0.0', signer, { fields });

    const waiting = await server.plugins.installs.place(archive, { source: null });
    const before = await stateOf(server);
    const granted = { kv: { quotaMb: 5 }, textIndex: true };
    const done = await server.plugins.installs.place(archive, { source: null, granted });

    expect(waiting).toMatchObject({
      kind: 'waiting',
      more: ['kv.quotaMb: 5 is above 1', 'net was not asked for'],
    });
    expect(before).toEqual(oldState);
    expect(done).toMatchObject({ kind: 'done', plugin: { version: '3.0.0', state: 'running' } });
    expect(server.plugins.grants.powersOf(id)).toEqual(granted);
    await server.plugins.installs.rollBack(id, { version: '1.0.0' });
    expect(server.plugins.grants.powersOf(id)).toEqual({ kv: { quotaMb: 1 }, textIndex: true });
  });

  test('of which another is under way is refused, and so is every change of the plugin', async () => {
    const first = server.plugins.installs.place(await versionOf('4.0.0', signer), { source: null });
    const conflict = { code: 'conflict' };

    await expect(
      server.plugins.installs.place(await versionOf('4.0.1', signer), { source: null }),
    ).rejects.toMatchObject(conflict);
    await expect(server.plugins.configuration.set(id, {})).rejects.toMatchObject(conflict);
    await expect(server.plugins.lifecycle.disable(id)).rejects.toMatchObject(conflict);
    expect(await first).toMatchObject({ kind: 'done' });
    await server.plugins.installs.rollBack(id, { version: '1.0.0' });
  });

  test('leaves the code of the versions that count on the disk, and no other', async () => {
    await server.plugins.installs.place(await versionOf('5.0.0', signer), { source: null });
    const kept = record()?.earlier.filter((one) => one.kept !== null) ?? [];
    const wanted = [record()?.sha256, ...kept.map(({ sha256 }) => sha256)].sort();

    await expect
      .poll(async () => (await readdir(path.join(folder.data, 'packages'))).sort())
      .toEqual(wanted);
    await server.plugins.installs.rollBack(id, { version: '1.0.0' });
  });
});

describe('a plugin that is revoked', () => {
  test('stops, says why, stays so, and runs again when it is not revoked any more', async () => {
    const { installs } = server.plugins;

    installs.setRevocationRule(() => 'It leaks.');
    await installs.judge();
    const skipped = server.plugins.registry.skipped();
    const restart = server.plugins.lifecycle.restart(id);
    await expect(restart).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching('It leaks'),
    });
    installs.setRevocationRule(() => null);
    await installs.judge();

    expect(skipped).toMatchObject([{ id, reason: 'revoked', message: 'It leaks.' }]);
    expect(await stateOf(server)).toEqual(oldState);
  });
});
