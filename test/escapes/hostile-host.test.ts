import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DispatchViewer } from '../../kernel/call/dispatch-viewer.ts';
import type { HostGate } from '../../kernel/call/running-plugin.ts';
import type { Sandboxes } from '../../kernel/run/sandbox/index.ts';
import {
  childPids,
  isAlive,
  openSandboxes,
  startPlugin,
  until,
  type TestPlugin,
} from '../support/plugins/open-sandboxes.ts';
import { testByNight } from '../support/run/test-by-night.ts';

let sandboxes: Sandboxes;
beforeAll(() => {
  sandboxes = openSandboxes(path.join(import.meta.dirname, 'taken-over-host.mts'));
});
afterAll(async () => {
  await sandboxes.stop();
  expect(childPids()).toEqual([]);
});

/** `script` runs in the host process for every frame that comes in. */
const takeOver = (pluginId: string, script: string): Promise<TestPlugin> =>
  startPlugin(sandboxes, { pluginId, script });

/** Makes a host call in the name of a dispatch. */
const hostCall = `
  function hostCall(call, dispatch, sandbox = frame.sandbox) {
    const body = '{}';
    const header = Buffer.from(JSON.stringify([{ kind: 'host-call', sandbox, call, dispatch, service: 'kv', method: 'get', as: '', body: body.length }]));
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(4 + header.length + body.length, 0);
    sizes.writeUInt32LE(header.length, 4);
    raw(Buffer.concat([sizes, header, Buffer.from(body)]));
  }`;

const hostOf = (pluginId: string): { readonly pid: number; readonly dropped: number } =>
  sandboxes.report().find(({ pluginIds }) => pluginIds.includes(pluginId)) ?? {
    pid: 0,
    dropped: 0,
  };

describe('a host process in the hands of an attacker', () => {
  test('cannot answer a call that it was not asked', async () => {
    const plugin = await takeOver(
      'forger',
      `if (frame.kind !== 'call') return;
       for (const call of [frame.call + 1, frame.call + 2, 99]) send({ kind: 'threw', sandbox: frame.sandbox, call, code: 'forged', message: '' });
       send({ kind: 'threw', sandbox: frame.sandbox + 1, call: frame.call, code: 'forged', message: '' });
       send({ kind: 'unknown-handler', sandbox: frame.sandbox, call: frame.call });`,
    );
    expect(await plugin.call('a')).toEqual({ kind: 'unknown-handler' });
    expect(await plugin.call('b')).toEqual({ kind: 'unknown-handler' });
    expect(hostOf('forger').dropped).toBe(8);
  });

  test('cannot answer a call a second time, or after its deadline', async () => {
    const plugin = await takeOver(
      'late',
      `if (frame.kind === 'call' && frame.method === 'twice') for (let i = 0; i < 2; i++) send({ kind: 'unknown-handler', sandbox: frame.sandbox, call: frame.call });
       if (frame.kind === 'cancel') send({ kind: 'threw', sandbox: frame.sandbox, call: frame.call, code: 'late', message: '' });`,
    );
    expect(await plugin.call('late', {}, 50)).toEqual({ kind: 'timed-out' });
    expect(await until(() => hostOf('late').dropped === 1)).toBe(true);
    expect(await plugin.call('twice')).toEqual({ kind: 'unknown-handler' });
    expect(await until(() => hostOf('late').dropped === 2)).toBe(true);
  });

  test.each([
    ['a frame of no known kind', "send({ kind: 'exec', cmd: 'id' })"],
    ['a frame with a field too many', "send({ kind: 'ready', more: 1 })"],
    [
      'a frame with a field of another type',
      "send({ kind: 'threw', sandbox: '1', call: {}, code: 1, message: null })",
    ],
    [
      'a frame named like a prototype',
      "send({ kind: '__proto__' }, { kind: 'constructor' }, null, 1, [])",
    ],
    [
      'a message that is too long',
      "send({ kind: 'threw', sandbox: frame.sandbox, call: frame.call, code: 'x', message: 'x'.repeat(501) })",
    ],
    [
      'a usage of something else',
      "send({ kind: 'beat', beat: 1, usage: [{ sandbox: 1, cpuMs: -1, memoryBytes: 'x' }] })",
    ],
  ])('is ended when it goes on sending %s', async (what, attack) => {
    const plugin = await takeOver(
      what,
      `if (frame.kind === 'call') for (let i = 0; i < 9; i++) ${attack};`,
    );
    const { pid } = hostOf(what);
    expect(await plugin.call('go')).toEqual({ kind: 'gone' });
    expect(await plugin.gone).toMatchObject({ reason: 'protocol' });
    expect(await until(() => !isAlive(pid))).toBe(true);
  });

  test.each([
    ['a batch of four gigabytes', 'raw(Buffer.from([255, 255, 255, 255]))'],
    ['a batch without a header', 'raw(Buffer.alloc(4))'],
    ['a header longer than its batch', 'raw(Buffer.from([4, 0, 0, 0, 255, 0, 0, 0]))'],
    ['a header that is not JSON', 'raw(Buffer.from([5, 0, 0, 0, 1, 0, 0, 0, 123]))'],
    ['a body longer than its batch', "send({ kind: 'returned', sandbox: 1, call: 1, body: 5 })"],
    [
      'a body of negative infinity',
      "send({ kind: 'returned', sandbox: 1, call: 1, body: '-Infinity' })",
    ],
    [
      'JSON of a million brackets',
      "const deep = Buffer.from('['.repeat(1e6)); const n = Buffer.alloc(8); n.writeUInt32LE(4 + deep.length, 0); n.writeUInt32LE(deep.length, 4); raw(Buffer.concat([n, deep]))",
    ],
  ])('is ended at once when it sends %s', async (what, attack) => {
    const plugin = await takeOver(what, `if (frame.kind === 'call') { ${attack}; }`);
    expect(await plugin.call('go')).toEqual({ kind: 'gone' });
    expect(await plugin.gone).toMatchObject({ reason: 'protocol' });
  });

  test('is ended when it floods the kernel with answers that no call waits for', async () => {
    const plugin = await takeOver(
      'flooder',
      `if (frame.kind === 'call') for (let i = 0; i < 5000; i++) send({ kind: 'unknown-handler', sandbox: frame.sandbox, call: 1000 + i });`,
    );
    expect(await plugin.call('go')).toEqual({ kind: 'gone' });
    expect(await plugin.gone).toMatchObject({ reason: 'protocol' });
  });

  testByNight('is ended when it does not answer its heartbeat', async () => {
    const plugin = await takeOver('silent', '');
    expect(await plugin.gone).toMatchObject({ reason: 'stuck' });
  });

  test('cannot flood the host services', async () => {
    let asked = 0;
    const plugin = await startPlugin(sandboxes, {
      pluginId: 'flood',
      gate: () => {
        asked++;
        return new Promise(() => undefined);
      },
      script: `${hostCall} if (frame.kind === 'call') { for (let call = 1; call <= 1000; call++) hostCall(call, frame.call); send({ kind: 'unknown-handler', sandbox: frame.sandbox, call: frame.call }); }`,
    });
    expect(await plugin.call('go')).toEqual({ kind: 'unknown-handler' });
    expect(asked).toBe(64);
  });

  test('cannot call the host in the name of a dispatch that is over, or never was', async () => {
    const inNameOf: unknown[] = [];
    const plugin = await startPlugin(sandboxes, {
      pluginId: 'impostor',
      gate: async ({ viewer }) => {
        inNameOf.push(viewer?.identity ?? 'nobody');
        return { ok: true, body: '1' };
      },
      script: `${hostCall}
        if (frame.kind === 'call') for (const dispatch of [frame.call, frame.call === 1 ? 9 : frame.call - 1, frame.call + 1, 40]) hostCall(frame.call * 100 + dispatch, dispatch);
        globalThis.refused ??= [];
        if (frame.kind === 'refusal') refused.push(frame.code);
        if (refused.length === 3) send({ kind: 'threw', sandbox: frame.sandbox, call: Math.floor(frame.call / 100), code: 'done', message: refused.splice(0).join() });`,
    });
    const kid: DispatchViewer = {
      identity: 'kid',
      shownTo: () => ({ role: 'user', profile: 'k', locale: null }),
    };

    const first = await plugin.call('a');
    const second = await plugin.callFor(kid, 'b');

    expect(first).toMatchObject({ code: 'done', message: 'no_call,no_call,no_call' });
    expect(second).toMatchObject({ code: 'done', message: 'no_call,no_call,no_call' });
    expect(inNameOf).toEqual(['nobody', 'kid']);
  });

  test('cannot call the host in the name of a dispatch of another plugin', async () => {
    const asked: unknown[] = [];
    const gateOf =
      (pluginId: string): HostGate =>
      async ({ viewer }) => {
        asked.push([pluginId, viewer?.identity ?? 'nobody']);
        return { ok: true, body: '1' };
      };
    const admin: DispatchViewer = {
      identity: 'admin',
      shownTo: () => ({ role: 'admin', profile: 'a', locale: null }),
    };
    const victim = await startPlugin(sandboxes, {
      pluginId: 'victim',
      gate: gateOf('victim'),
      script: `globalThis.open ??= [];
        if (frame.kind === 'call' && frame.method === 'wait') open.push(frame);
        if (frame.kind === 'call' && frame.method === 'end') for (const { sandbox, call } of [...open.splice(0), frame]) send({ kind: 'unknown-handler', sandbox, call });`,
    });
    // Its calls have the numbers 1 to 4, and the only one of the thief has the number 1.
    const waiting = [1, 2, 3, 4].map(() => victim.callFor(admin, 'wait'));
    const thief = await startPlugin(sandboxes, {
      pluginId: 'thief',
      gate: gateOf('thief'),
      script: `${hostCall}
        globalThis.answers ??= [];
        if (frame.kind === 'call') {
          for (let sandbox = 1; sandbox < frame.sandbox; sandbox++) for (const dispatch of [1, 2, 3, 4]) hostCall(100 * sandbox + dispatch, dispatch, sandbox);
          for (const dispatch of [2, 3, 4, 1]) hostCall(dispatch, dispatch);
        }
        if (frame.kind === 'refusal' || frame.kind === 'answer') answers.push(frame.code ?? 'answered');
        if (answers.length === 4) send({ kind: 'threw', sandbox: frame.sandbox, call: 1, code: 'done', message: answers.splice(0).sort().join() });`,
    });

    const reply = await thief.call('go');
    await victim.call('end');
    await Promise.all(waiting);

    expect(reply).toMatchObject({ code: 'done', message: 'answered,no_call,no_call,no_call' });
    expect(asked).toEqual([['thief', 'nobody']]);
    expect(hostOf('thief').dropped).toBeGreaterThanOrEqual(4);
  });

  test('cannot write more than a line, nor more than 200 of them, into the log', async () => {
    const plugin = await takeOver(
      'scribe',
      `if (frame.kind === 'call') { for (let i = 0; i < 300; i++) send({ kind: 'log', sandbox: frame.sandbox, level: 'error', text: '\\u001b[31mred\\nfake' }); send({ kind: 'unknown-handler', sandbox: frame.sandbox, call: frame.call }); }`,
    );
    await plugin.call('go');
    expect(plugin.logs.length).toBeGreaterThanOrEqual(200);
    expect(plugin.logs.length).toBeLessThan(250);
    expect(plugin.logs[0]).toEqual({ level: 'error', text: ' [31mred fake' });
  });

  test('may read nothing but its own two files, and start nothing', async () => {
    const plugin = await takeOver(
      'reader',
      `if (frame.kind !== 'call') return;
       const attempts = {
         read: () => process.getBuiltinModule('fs').readFileSync('/etc/passwd'),
         write: () => process.getBuiltinModule('fs').writeFileSync('/tmp/escaped', ''),
         spawn: () => process.getBuiltinModule('child_process').spawnSync('id'),
         work: () => new (process.getBuiltinModule('worker_threads').Worker)('', { eval: true }),
         inspect: () => process.getBuiltinModule('inspector').open(0),
       };
       const codes = Object.entries(attempts).map(([name, attempt]) => { try { attempt(); return name + ' worked'; } catch (error) { return error.code; } });
       send({ kind: 'threw', sandbox: frame.sandbox, call: frame.call, code: 'done', message: codes.join() });`,
    );
    const reply = await plugin.call('go');
    expect(reply).toEqual({
      kind: 'threw',
      code: 'done',
      message: new Array(5).fill('ERR_ACCESS_DENIED').join(),
    });
  });
});

describe('the self-test', () => {
  test('refuses every plugin when the engine runs a loop that nothing can end', async () => {
    const refused = openSandboxes(path.join(import.meta.dirname, 'uncured-host.ts'));
    await expect(startPlugin(refused, {})).rejects.toThrow('no timeout can end');
    await expect(startPlugin(refused, {})).rejects.toThrow('no timeout can end');
    await until(() => refused.report().length === 0);
    expect(refused.report()).toEqual([]);
    await refused.stop();
  });
});
