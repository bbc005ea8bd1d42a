/** What native code in a host process could do, where the system has namespaces and where it has none. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import type { PluginReply } from '../../kernel/call/running-plugin.ts';
import type { Sandboxes } from '../../kernel/run/sandbox/index.ts';
import { visibleFiles } from '../../kernel/run/sandbox/visible-files.ts';
import { findWrapper } from '../../kernel/run/sandbox/wrapper.ts';
import {
  childPids,
  isAlive,
  openSandboxes,
  startPlugin,
  until,
  type TestPlugin,
  type TestPluginSpec,
} from '../support/plugins/open-sandboxes.ts';
import { sampleOf } from '../support/run/nightly.ts';

const takenOver = path.join(import.meta.dirname, 'taken-over-host.mts');

/** Runs in the host process itself, and answers with what `attempt` gives. */
const attempting = (attempt: string): string => `
  if (frame.kind !== 'call') return;
  const tell = (message) => send({ kind: 'threw', sandbox: frame.sandbox, call: frame.call, code: 'done', message: String(message).slice(0, 500) });
  Promise.resolve().then(() => { ${attempt} }).then(tell, (error) => tell(error.code ?? error.message));`;

const wordsOf = (reply: PluginReply): string =>
  reply.kind === 'threw' ? reply.message : reply.kind;

const startInstalled = (sandboxes: Sandboxes, spec: TestPluginSpec): Promise<TestPlugin> =>
  startPlugin(sandboxes, { isLowPriority: true, ...spec });

const hostOf = (sandboxes: Sandboxes): number => sandboxes.report()[0]?.pid ?? 0;

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();

describe.each(sampleOf(['bwrap', 'unshare'] as const, 1))(
  'a host process in namespaces made by %s',
  (name) => {
    // What is not installed, or not allowed, is skipped by name and not silently.
    const isThere = findWrapper(name) !== undefined && canMakeNamespaces();
    let sandboxes: Sandboxes;
    beforeAll(() => {
      sandboxes = openSandboxes(takenOver, { isolation: 'require', wrappers: [name] });
    });
    afterAll(async () => {
      await sandboxes.stop();
      expect(await until(() => childPids().length === 0)).toBe(true);
    });

    const attempt = async (code: string): Promise<string> => {
      const plugin = await startInstalled(sandboxes, { script: attempting(code) });
      const reply = await plugin.call('go');
      await plugin.sandbox.stop();
      return wordsOf(reply);
    };

    test.skipIf(!isThere)('is what the server says it is', async () => {
      expect(await sandboxes.isolation()).toEqual({ tier: 'namespaces', by: name, reason: null });
    });

    test.skipIf(!isThere)('cannot signal, rank or even see the server', async () => {
      const before = getPriority();
      const { pid } = process;

      const said = await attempt(`
      const tries = [() => process.kill(process.ppid, 'SIGKILL'), () => process.kill(${pid}, 'SIGKILL'), () => process.getBuiltinModule('os').setPriority(${pid}, 19), () => process.getBuiltinModule('os').setPriority(process.ppid, 19)];
      return tries.map((one) => { try { one(); return 'done'; } catch (error) { return error.code ?? error.info?.code; } }).join();`);

      // The first process of its own namespace is its parent, which no signal from within ends.
      expect(said).toMatch(/^(done|EPERM),ESRCH,(ESRCH|ERR_SYSTEM_ERROR),/);
      expect(getPriority()).toBe(before);
      expect(isAlive(pid)).toBe(true);
    });

    test.skipIf(!isThere)('cannot connect to the server, nor to anything', async () => {
      let callers = 0;
      const server = createServer(() => (callers += 1)).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const address = server.address() as { readonly port: number };

      const said = await attempt(`
      const net = process.getBuiltinModule('net');
      const attempt = (port, host) => new Promise((resolve) => net.connect(port, host).on('connect', () => resolve('connected')).on('error', (error) => resolve(error.code)));
      return Promise.all([attempt(${address.port}, '127.0.0.1'), attempt(53, '9.9.9.9')]).then(String);`);

      // The filter of `bwrap` gives no socket; the other has no network beyond itself.
      expect(said).toMatch(
        name === 'bwrap' ? /^EPERM,EPERM$/ : /^(ECONNREFUSED|ENETUNREACH),ENETUNREACH$/,
      );
      expect(callers).toBe(0);
      server.close();
    });

    testByNight.skipIf(!isThere)(
      'is measured, ranked and ended as the host that it is',
      async () => {
        const plugin = await startInstalled(sandboxes, { script: attempting('return 1') });
        const pid = hostOf(sandboxes);

        expect(nameOf(pid)).toMatch(/node|MainThread/);
        expect(sandboxes.report()[0]?.rssBytes).toBeGreaterThan(20 * 1024 * 1024);
        expect(getPriority(pid)).toBeGreaterThan(getPriority());
        expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('800');
        await plugin.sandbox.stop();
        expect(await until(() => !isAlive(pid))).toBe(true);
        expect(await until(() => childPids().length === 0)).toBe(true);
      },
    );

    test.skipIf(!isThere)('ends with its wrapper, and takes its wrapper along', async () => {
      for (const victim of ['wrapper', 'host'] as const) {
        const plugin = await startInstalled(sandboxes, { script: attempting('return 1') });
        const pid = hostOf(sandboxes);
        const [wrapper = 0] = childPids();

        process.kill(victim === 'host' ? pid : wrapper, 'SIGKILL');

        expect(await plugin.gone).toMatchObject({ reason: 'exited' });
        expect(await until(() => !isAlive(pid) && !isAlive(wrapper))).toBe(true);
      }
    });

    testByNight.skipIf(!isThere)(
      'runs plugins as any other does, within its cap of memory',
      async () => {
        const real = openSandboxes(undefined, { isolation: 'require', wrappers: [name] });
        const plugin = await startInstalled(real, {
          definition: `methods: {
        add: ({ a, b }) => a + b,
        zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
        eat: () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); },
      }`,
        });

        expect(await plugin.call('add', { a: 2, b: 3 })).toEqual({ kind: 'returned', body: '5' });
        const zone = JSON.stringify(Intl.DateTimeFormat().resolvedOptions().timeZone);
        expect(await plugin.call('zone')).toEqual({ kind: 'returned', body: zone });
        // It must reach its limit of memory before the deadline of the call, also on a busy machine.
        expect((await plugin.call('eat', {}, 50_000)).kind).not.toBe('returned');
        expect(await plugin.gone).toMatchObject({ reason: 'memory' });
        await real.stop();
      },
    );
  },
);

const whyNoLandlock = await landlockFault();

describe.skipIf(whyNoLandlock !== null)(
  `a host process behind Landlock${whyNoLandlock === null ? '' : ` (${whyNoLandlock})`}`,
  () => {
    let sandboxes: Sandboxes;
    beforeAll(() => {
      sandboxes = openSandboxes(takenOver, { isolation: 'auto', wrappers: ['setpriv'] });
    });
    afterAll(async () => {
      await sandboxes.stop();
      expect(await until(() => childPids().length === 0)).toBe(true);
    });

    const attempt = async (code: string): Promise<string> => {
      const plugin = await startInstalled(sandboxes, { script: attempting(code) });
      const reply = await plugin.call('go');
      await plugin.sandbox.stop();
      return wordsOf(reply);
    };

    test('is what the server says it is', async () => {
      expect(await sandboxes.isolation()).toMatchObject({ tier: 'landlock', by: 'setpriv' });
    });

    test('reads no file of the server, lists no folder, and changes nothing', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-landlock-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const file = path.join(folder, 'secret');
      await writeFile(file, 'a secret', { mode: 0o644 });

      // Without the permissions of Node, as native code is.
      const { descriptors = [], wrap } = findWrapper('setpriv') ?? {};
      const hostFiles = { hostScript: takenOver, engineFile: takenOver };
      const shown = visibleFiles(process.execPath, hostFiles);
      const attempts = `
      const fs = require('node:fs');
      const tries = [
        () => fs.readFileSync('${file}'), () => fs.readdirSync('${folder}'), () => fs.readFileSync('/proc/${process.pid}/environ'),
        () => fs.writeFileSync('${file}', ''), () => fs.chmodSync('${file}', 0o777), () => fs.utimesSync('${file}', 1, 1),
        () => fs.writeSync(5, 'x'), () => fs.ftruncateSync(5, 0), () => fs.writeFileSync('/dev/fd/5', ''),
        () => fs.unlinkSync('${file}'), () => fs.renameSync('${file}', '${file}2'), () => fs.mkdirSync('${folder}/new'),
        () => { const { error } = require('node:child_process').spawnSync('/bin/true'); if (error) throw error; },
      ];
      console.log(tries.map((one) => { try { one(); return 'done'; } catch (error) { return error.code; } }).join());`;
      const [program = '', ...args] = wrap?.([process.execPath, '--eval', attempts], shown) ?? [];
      const { stdout: said } = spawnSync(program, args, {
        env: { LD_LIBRARY_PATH: shown.libraryFolders.join(':'), OPENSSL_CONF: '/dev/null' },
        stdio: ['ignore', 'pipe', 'ignore', 'ignore', 'ignore', ...descriptors],
        encoding: 'utf8',
      });

      expect(said.trim().split(',')).toHaveLength(13);
      expect(said).not.toContain('done');
      expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual([
        'a secret',
        ['secret'],
      ]);
    });

    test('signals and ranks no process, and connects to nothing', async () => {
      const before = getPriority();
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { readonly port: number };

      const said = await attempt(`
      const tries = [() => process.kill(${process.pid}, 'SIGKILL'), () => process.kill(-1, 'SIGKILL'), () => process.getBuiltinModule('os').setPriority(${process.pid}, 19)];
      const done = tries.map((one) => { try { one(); return 'done'; } catch (error) { return error.code; } });
      const net = process.getBuiltinModule('net');
      return new Promise((resolve) => net.connect(${port}, '127.0.0.1').on('connect', () => resolve('connected')).on('error', (error) => resolve(error.code))).then((code) => [...done, code].join());`);

      expect(said).toBe('EPERM,EPERM,ERR_SYSTEM_ERROR,EPERM');
      expect(getPriority()).toBe(before);
      server.close();
    });

    test('is measured, ranked and ended as the host that it is, and runs plugins within their memory', async () => {
      const real = openSandboxes(undefined, { isolation: 'auto', wrappers: ['setpriv'] });
      const plugin = await startInstalled(real, {
        definition: `methods: {
          add: ({ a, b }) => a + b,
          eat: () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); },
        }`,
      });
      const pid = hostOf(real);

      expect(await plugin.call('add', { a: 2, b: 3 })).toEqual({ kind: 'returned', body: '5' });
      expect(nameOf(pid)).toMatch(/node|MainThread/);
      expect(getPriority(pid)).toBeGreaterThan(getPriority());
      expect((await plugin.call('eat', {}, 50_000)).kind).not.toBe('returned');
      expect(await plugin.gone).toMatchObject({ reason: 'memory' });
      expect(await until(() => !isAlive(pid))).toBe(true);
      await real.stop();
    });
  },
);

describe('where there are no namespaces', () => {
  test('plugins run in a process all the same, and the server says why', async () => {
    const sandboxes = openSandboxes(undefined, { isolation: 'auto', wrappers: [] });
    const plugin = await startInstalled(sandboxes, {});

    expect(await sandboxes.isolation()).toEqual({ tier: 'process', by: null, reason: '' });
    expect(nameOf(hostOf(sandboxes))).toMatch(/node|MainThread/);
    await plugin.sandbox.stop();
    await sandboxes.stop();
  });

  test('no plugin runs when they are required, and built-ins do', async () => {
    const sandboxes = openSandboxes(undefined, { isolation: 'require', wrappers: [] });

    await expect(startInstalled(sandboxes, {})).rejects.toThrow('--plugin-isolation require');
    const builtIn = await startPlugin(sandboxes, {});
    await builtIn.sandbox.stop();
    await sandboxes.stop();
  });

  test('they are not looked for when they are not wanted', async () => {
    const sandboxes = openSandboxes(undefined, { isolation: 'process' });

    expect(await sandboxes.isolation()).toEqual({ tier: 'process', by: null, reason: null });
    await sandboxes.stop();
  });
});

/** Whether this system lets this user make them at all. */
function canMakeNamespaces(): boolean {
  const { status } = spawnSync('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true']);
  return status === 0 && readdirSync('/proc/self/ns').includes('user');
}

/** Why Landlock does not hold here; `null` = it does. */
async function landlockFault(): Promise<string | null> {
  const sandboxes = openSandboxes(undefined, { isolation: 'auto', wrappers: ['setpriv'] });
  const { tier, reason } = await sandboxes.isolation();
  await sandboxes.stop();
  return tier === 'landlock' ? null : (reason ?? 'no reason');
}
