import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import {
  childPids,
  isAlive,
  openSandboxes,
  startPlugin,
  until,
  type TestPlugin,
} from '../../../test/support/plugins/open-sandboxes.ts';
import type { HostCall, HostReply } from '../../call/running-plugin.ts';
import { silentLog } from '../../log.ts';
import { createSandboxes } from './index.ts';
import { limits } from './limits.ts';
import type { Sandboxes } from './sandbox.ts';

let sandboxes: Sandboxes;
beforeAll(() => {
  sandboxes = openSandboxes();
});
afterAll(async () => {
  await sandboxes.stop();
  expect(sandboxes.report()).toEqual([]);
  expect(childPids()).toEqual([]);
});

const shared = { process: 'shared' } as const;

const pidOf = (pluginId: string): number =>
  sandboxes.report().find(({ pluginIds }) => pluginIds.includes(pluginId))?.pid ?? 0;

describe('a call into a plugin', () => {
  let plugin: TestPlugin;
  beforeAll(async () => {
    plugin = await startPlugin(sandboxes, {
      ...shared,
      definition: `
        events: { 'library.item.added': (event) => 'exact ' + event.type, 'library.*.removed': (event) => 'pattern ' + event.type },
        hooks: {
          'pipeline.scan.prepare': (input) => ({ saw: input }),
          'pipeline.probe.afterProcess': async (input) => {
            if (input === 'bad') throw Object.assign(new Error('No such file.'), { code: 'not_found' });
            return { saw: input };
          },
        },
        views: { 'ui.settings.sections': (context) => [context] },
        actions: { greet: (params) => 'hello ' + params.name },
        methods: {
          'job.run': async (input) => ({ done: true, result: input }),
          nothing: () => undefined,
          bytes: () => new Uint8Array([0, 255, 128]).subarray(1),
          large: () => 'x'.repeat(9 * 1024 * 1024),
          wide: () => '\\u4e00'.repeat(4 * 1024 * 1024),
          cyclic: () => { const a = {}; a.a = a; return a; },
          failing: () => { throw Object.assign(new Error('No such file.'), { code: 'not_found' }); },
          disguised: () => {
            const error = new Error('It has one of its own.');
            Object.defineProperty(error, 'stack', { get: () => { throw new Error('Asked.'); } });
            throw error;
          },
          deepStack: () => { throw Object.assign(new Error('d'.repeat(100)), { stack: 'x'.repeat(99999) }); },
          shouting: () => { throw 'm'.repeat(10000); },
          slow: () => new Promise((resolve) => setTimeout(() => resolve('late'), 150)),
        },`,
    });
  });

  test.each([
    ['event.dispatch', { type: 'library.item.added' }, 'exact library.item.added'],
    ['event.dispatch', { type: 'library.item.removed' }, 'pattern library.item.removed'],
    ['hook.dispatch', { name: 'pipeline.scan.prepare', input: 1 }, { saw: 1 }],
    ['view.dispatch', { slot: 'ui.settings.sections', context: { a: 1 } }, [{ a: 1 }]],
    ['action.run', { method: 'greet', params: { name: 'you' } }, 'hello you'],
    ['job.run', { jobId: 'j' }, { done: true, result: { jobId: 'j' } }],
    ['nothing', {}, null],
  ])('%s with %j reaches its handler', async (method, input, value) => {
    expect(await plugin.call(method, input)).toEqual({
      kind: 'returned',
      body: JSON.stringify(value),
    });
  });

  test.each([
    ['event.dispatch', { type: 'library.item.a.removed' }],
    ['event.dispatch', { type: 'constructor' }],
    ['action.run', { method: 'toString', params: {} }],
    ['search.query', {}],
    ['__proto__', {}],
  ])('%s with %j has no handler', async (method, input) => {
    expect(await plugin.call(method, input)).toEqual({ kind: 'unknown-handler' });
  });

  test('with many inputs of a hook returns the result of each, in order', async () => {
    const input = { name: 'pipeline.probe.afterProcess', inputs: [1, 'bad', { a: 2 }] };

    expect(await plugin.call('hook.dispatchAll', input)).toEqual({
      kind: 'returned',
      body: JSON.stringify([
        { value: { saw: 1 } },
        { error: { code: 'not_found', message: 'No such file.' } },
        { value: { saw: { a: 2 } } },
      ]),
    });
    expect(await plugin.call('hook.dispatchAll', { ...input, name: 'toString' })).toEqual({
      kind: 'unknown-handler',
    });
  });

  test('gives bytes as they are', async () => {
    const reply = await plugin.call('bytes');
    expect(reply.kind === 'returned' && [...Buffer.from(reply.body)]).toEqual([255, 128]);
  });

  test('gives the code and the message of an error, and where it came from', async () => {
    expect(await plugin.call('failing')).toEqual({
      kind: 'threw',
      code: 'not_found',
      message: 'No such file.',
      stack: expect.stringMatching(
        /^Error: No such file\.\n {4}at .*failing.* \(plugin\.js:\d+:\d+\)/,
      ),
    });
  });

  test('runs no getter of the plugin for a stack, and cuts a long one', async () => {
    expect(await plugin.call('disguised')).toEqual({
      kind: 'threw',
      code: 'plugin_error',
      message: 'It has one of its own.',
    });
    const reply = await plugin.call('deepStack');
    expect(reply.kind === 'threw' && reply.stack?.length).toBe(limits.stackLength);
  });

  test('cuts a message to 500 characters', async () => {
    const reply = await plugin.call('shouting');
    expect(reply.kind === 'threw' && reply.message.length).toBe(500);
  });

  test.each(['large', 'wide'])('refuses a %s result', async (method) => {
    expect(await plugin.call(method)).toMatchObject({ kind: 'threw', code: 'too_large' });
  });

  test('refuses a result that is not JSON', async () => {
    expect(await plugin.call('cyclic')).toMatchObject({ kind: 'threw', code: 'plugin_error' });
  });

  test('refuses an input above 8 MiB without sending it', async () => {
    expect(await plugin.call('nothing', 'x'.repeat(limits.bodyBytes))).toMatchObject({
      kind: 'threw',
      code: 'too_large',
    });
  });

  test('is answered timed-out at its deadline, and a plugin that only waits continues', async () => {
    const before = plugin.sandbox.usage();
    expect(await plugin.call('slow', {}, 50)).toEqual({ kind: 'timed-out' });
    expect(await plugin.call('slow')).toEqual({ kind: 'returned', body: '"late"' });
    expect(plugin.sandbox.usage()).toMatchObject({
      calls: before.calls + 2,
      timeouts: before.timeouts + 1,
    });
  });

  test('is answered gone after the plugin was stopped, and no end is reported', async () => {
    const stopped = await startPlugin(sandboxes, {
      definition: 'methods: { wait: () => new Promise(() => {}) },',
    });
    const waiting = stopped.call('wait');
    await stopped.sandbox.stop();
    expect(await waiting).toEqual({ kind: 'gone' });
    expect(await stopped.call('wait')).toEqual({ kind: 'gone' });
    expect(await Promise.race([stopped.gone, Promise.resolve('nothing')])).toBe('nothing');
  });
});

describe('a plugin that computes', () => {
  const definition = `methods: {
    wait: () => new Promise(() => {}),
    moment: () => { const end = Date.now() + 60; while (Date.now() < end); return 1; },
    loop: () => { for (;;); },
    answerAndLoop: () => { setTimeout(() => {}, 0); void Promise.resolve().then(async () => { for (let i = 0; i < 100; i++) await 0; for (;;); }); return 1; },
  },`;

  test('continues when it was only a moment late', async () => {
    const plugin = await startPlugin(sandboxes, { ...shared, definition });
    expect(await plugin.call('moment', {}, 10)).toEqual({ kind: 'timed-out' });
    expect(await plugin.call('moment')).toMatchObject({ body: '1' });
    await plugin.sandbox.stop();
  });

  testByNight(
    'is ended when its loop delays the answer of another call, long before its own deadline',
    async () => {
      const plugin = await startPlugin(sandboxes, { ...shared, definition });
      const loop = plugin.call('wait', {}, 300);
      void plugin.call('loop', {}, 60_000);
      const startedAt = performance.now();
      expect(await plugin.gone).toMatchObject({ reason: 'cpu' });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect((await loop).kind).toBe('timed-out');
    },
  );

  test('is ended when it keeps computing after its answer', async () => {
    const plugin = await startPlugin(sandboxes, { ...shared, definition });
    expect(await plugin.call('answerAndLoop', {}, 60_000)).toMatchObject({ body: '1' });
    expect(await plugin.gone).toMatchObject({ reason: 'cpu' });
  });

  testByNight('is given no more input than 64 MiB at a time', async () => {
    const plugin = await startPlugin(sandboxes, { definition, memoryMb: 256 });
    const input = 'x'.repeat(limits.bodyBytes - 2);
    const calls = Array.from({ length: 12 }, () => plugin.call('wait', input, 20_000));
    expect(await Promise.race(calls)).toMatchObject({ kind: 'threw', code: 'overloaded' });
    await plugin.sandbox.stop();
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'gone')).toHaveLength(9);
  });
});

describe('a call out of a plugin', () => {
  const definition = `methods: {
    get: (input, host) => host.kv.get(input),
    none: (input, host) => host.kv.get(),
    bytes: async (input, host) => [...await host.kv.set(new Uint8Array([1, 2, 3]))],
    refused: (input, host) => host.kv.get(input).catch((error) => [error.name, error.code, error.message, error instanceof Error]),
    flood: async (input, host) => (await Promise.allSettled(Array.from({ length: 100 }, () => host.kv.get({})))).filter((result) => result.status === 'rejected').length,
    large: (input, host) => host.kv.set('x'.repeat(9e6)).catch((error) => error.code),
    keys: (input, host) => { const names = (of) => { const list = []; for (const name in of) list.push(name); return list; }; return [names(host), names(host.kv), Object.isFrozen(host)]; },
    detached: (input, host) => { host.kv.get({}).then(() => { globalThis.ran = true; }); return 1; },
    ran: () => globalThis.ran === true,
  },`;

  test('carries JSON and bytes both ways', async () => {
    const plugin = await startPlugin(sandboxes, { ...shared, definition });
    expect(await plugin.call('get', { key: 'ü' })).toEqual({
      kind: 'returned',
      body: JSON.stringify({ service: 'kv', method: 'get', body: '{"key":"ü"}' }),
    });
    expect(await plugin.call('none')).toMatchObject({ body: expect.stringContaining('"{}"') });
    expect(await plugin.call('bytes')).toMatchObject({ body: '[1,2,3]' });
    expect(await plugin.call('keys')).toMatchObject({
      body: '[["kv","media","viewing","viewer","as"],["get","set"],true]',
    });
    expect(plugin.sandbox.usage().hostCalls).toBe(3);
  });

  test('rejects with a HostError of code and message', async () => {
    const gate = (): Promise<HostReply> =>
      Promise.resolve({ ok: false, code: 'permission_denied', message: 'Not granted.' });
    const plugin = await startPlugin(sandboxes, { ...shared, definition, gate });
    expect(await plugin.call('refused')).toMatchObject({
      body: '["HostError","permission_denied","Not granted.",true]',
    });
  });

  test('is limited to 64 in flight and 8 MiB', async () => {
    const asked: HostCall[] = [];
    const gate = async (call: HostCall): Promise<HostReply> => {
      asked.push(call);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { ok: true, body: '1' };
    };
    const plugin = await startPlugin(sandboxes, { ...shared, definition, gate });
    expect(await plugin.call('flood')).toMatchObject({ body: '36' });
    expect(await plugin.call('large')).toMatchObject({ body: '"quota_exceeded"' });
    expect(asked).toHaveLength(64);
  });

  test('is dropped with its answer when no call into the plugin runs', async () => {
    const answer = Promise.withResolvers<HostReply>();
    const plugin = await startPlugin(sandboxes, {
      ...shared,
      definition,
      gate: () => answer.promise,
    });
    expect(await plugin.call('detached')).toMatchObject({ body: '1' });
    answer.resolve({ ok: true, body: '1' });
    expect(await plugin.call('ran')).toMatchObject({ body: 'false' });
  });

  test('has its signal aborted when the plugin ends', async () => {
    const heard = Promise.withResolvers<AbortSignal>();
    const gate = (_: HostCall, signal: AbortSignal): Promise<HostReply> => {
      heard.resolve(signal);
      return new Promise(() => undefined);
    };
    const plugin = await startPlugin(sandboxes, { ...shared, definition, gate });
    void plugin.call('get');
    const signal = await heard.promise;
    expect(signal.aborted).toBe(false);
    await plugin.sandbox.stop();
    expect(signal.aborted).toBe(true);
  });
});

describe('the start of a plugin', () => {
  test.each([
    ['throws', 'throw new Error("Bad luck.");', 'Bad luck.'],
    ['is not a script', 'const const;', 'Unexpected token'],
    [
      'uses too much memory',
      'const a = []; for (;;) a.push(new Array(1000).fill(a.length));',
      'memory limit',
    ],
    ['never ends', 'for (;;);', 'without a pause'],
  ])('is refused when its script %s', async (_, prelude, message) => {
    await expect(startPlugin(sandboxes, { definition: '', prelude })).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringContaining(message) as string,
    });
  });

  test('that throws reports its place in the script', async () => {
    const prelude = 'const boom = () => { throw new Error("Bad luck."); };\nboom();';

    const error: unknown = await startPlugin(sandboxes, { definition: '', prelude }).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toMatchObject({
      cause: { reason: 'exited', stack: expect.stringMatching(/at boom \(plugin\.js:\d+:\d+\)/) },
    });
  });

  test.each([
    [64, 9 * 1024 * 1024],
    [16, 3 * 1024 * 1024],
  ])('is refused with %i MiB of memory and a script of %i characters', async (memoryMb, length) => {
    await expect(startPlugin(sandboxes, { memoryMb, script: ' '.repeat(length) })).rejects.toThrow(
      'its script is above',
    );
  });

  test('is refused when the default export is not a definition', async () => {
    await expect(
      startPlugin(sandboxes, { script: 'var __plugin = { default: 3 };' }),
    ).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringContaining('definePlugin') as string,
    });
  });

  test('succeeds although the process that ran the self-test ended', async () => {
    const several = openSandboxes();
    const broken = startPlugin(several, { pluginId: 'broken', prelude: 'throw 1;' });
    const sound = startPlugin(several, { ...shared, definition: 'methods: { a: () => 1 },' });
    await expect(broken).rejects.toMatchObject({ code: 'plugin_failed' });
    expect(await (await sound).call('a')).toMatchObject({ body: '1' });
    await several.stop();
  });

  test('is refused when the plugin host cannot be started', async () => {
    const broken = createSandboxes({
      nodePath: '/nonexistent/node',
      hostScript: path.join(import.meta.dirname, '../../../dist/plugin-host.mjs'),
      guestRuntime: '',
      log: silentLog,
    });
    await expect(startPlugin(broken, {})).rejects.toMatchObject({ code: 'plugin_failed' });
    await broken.stop();
    await expect(startPlugin(openSandboxes('/nonexistent/host.mjs'), {})).rejects.toThrow(
      'missing',
    );
  });

  test('is refused after the server has stopped', async () => {
    const stopped = openSandboxes();
    await stopped.stop();
    await expect(startPlugin(stopped, { definition: '' })).rejects.toThrow('stopping');
  });
});

describe('a plugin-host process', () => {
  test('holds all shared plugins, and every other plugin alone', async () => {
    const several = openSandboxes();
    await Promise.all([
      startPlugin(several, { ...shared, pluginId: 'a', definition: '' }),
      startPlugin(several, { ...shared, pluginId: 'b', definition: '' }),
      startPlugin(several, { pluginId: 'c', definition: '' }),
      startPlugin(several, { ...shared, pluginId: 'd', wasm: true, definition: '' }),
    ]);
    expect(several.report().map(({ pluginIds }) => pluginIds)).toEqual([['a', 'b'], ['c'], ['d']]);
    const pids = several.report().map(({ pid }) => pid);
    await several.stop();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('inherits no environment, no descriptor but the channel, and an empty folder', async () => {
    await startPlugin(sandboxes, { pluginId: 'bare', definition: '' });
    expect(readlinkSync(`/proc/${pidOf('bare')}/cwd`)).toMatch(/vitrine-host-.* \(deleted\)$/);
    const pid = pidOf('bare');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(environment.toSorted()).toEqual([
      'MALLOC_ARENA_MAX=1',
      'MALLOC_MMAP_THRESHOLD_=131072',
      'MALLOC_TRIM_THRESHOLD_=131072',
    ]);
    expect(readdirSync(`/proc/${pid}/cwd`)).toEqual([]);
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    const own = open.filter((target) => !/^(anon_inode:|pipe:|\/dev\/null$)/.test(target));
    const socket: unknown = expect.stringMatching(/^socket:/);
    expect(own).toEqual([socket, socket]);
  });

  test('may be started, killed and started again', async () => {
    const plugin = await startPlugin(sandboxes, { pluginId: 'killed', definition: '' });
    const pid = pidOf('killed');
    process.kill(pid, 'SIGKILL');
    expect(await plugin.gone).toMatchObject({ reason: 'exited' });
    const again = await startPlugin(sandboxes, {
      pluginId: 'killed',
      definition: 'methods: { a: () => 1 },',
    });
    expect(await again.call('a')).toMatchObject({ body: '1' });
  });

  test('does not outlive the kernel, not even while a native loop runs', async () => {
    const server = spawn(
      process.execPath,
      [path.join(import.meta.dirname, '../../../test/escapes/doomed-server.ts')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const pids = JSON.parse(String(line)) as number[];
    expect(pids.filter(isAlive)).toHaveLength(2);
    server.kill('SIGKILL');
    expect(await until(() => !pids.some(isAlive))).toBe(true);
  });

  testByNight('measures what each plugin uses', async () => {
    const plugin = await startPlugin(sandboxes, {
      definition:
        'methods: { burn: () => { const end = Date.now() + 200; while (Date.now() < end); } },',
    });
    await plugin.call('burn');
    expect(await until(() => plugin.sandbox.usage().cpuMs >= 100)).toBe(true);
    expect(await until(() => plugin.sandbox.usage().memoryBytes > 100_000)).toBe(true);
  });

  test('makes a plugin wait that uses more than its share of the processor', async () => {
    const plugin = await startPlugin(sandboxes, {
      cpuMsPerSecond: 10,
      definition:
        'methods: { burn: () => { const end = Date.now() + 150; while (Date.now() < end); return 1; } },',
    });
    expect(await plugin.call('burn')).toMatchObject({ body: '1' });
    expect(await plugin.call('burn', {}, 200)).toEqual({ kind: 'timed-out' });
  });
});
