import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openSandboxes,
  startPlugin,
  type TestPlugin,
} from '../../../../test/support/plugins/open-sandboxes.ts';
import type { Sandboxes } from '../sandbox.ts';

const page = readFileSync(
  path.join(import.meta.dirname, '../../../../docs/plugin-globals.md'),
  'utf8',
);
const definition = `methods: {
  globals: () => Object.getOwnPropertyNames(globalThis).filter((name) => name !== '__plugin'),
  run: (input) => (0, eval)('(async () => {' + input + '})()'),
},`;

let sandboxes: Sandboxes;
let plugin: TestPlugin;
beforeAll(async () => {
  sandboxes = openSandboxes();
  plugin = await startPlugin(sandboxes, { definition });
});
afterAll(() => sandboxes.stop());

async function run(code: string): Promise<unknown> {
  const reply = await plugin.call('run', code);
  if (reply.kind !== 'returned') return reply;
  return JSON.parse(String(reply.body)) as unknown;
}

/** The names that a section of the page sets in code, up to the next heading. */
function documented(heading: string, pattern: RegExp): string[] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return [...body.matchAll(pattern)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
}

describe('the globals of an isolate', () => {
  const language = documented('Globals of the language', /^((?:`\w+`\s?)+)$/gm);
  const added = documented('Globals that Vitrine adds', /^\| ((?:`\w+` *)+)\|/gm);

  test('are exactly those that the page for authors lists', async () => {
    const reply = await plugin.call('globals');
    const globals = JSON.parse(String(reply.kind === 'returned' && reply.body)) as string[];
    expect(globals.sort()).toEqual([...language, ...added].sort());
  });

  test('include WebAssembly with the permission wasm, and nothing else', async () => {
    const wasm = await startPlugin(sandboxes, { definition, wasm: true });
    const reply = await wasm.call('globals');
    const globals = JSON.parse(String(reply.kind === 'returned' && reply.body)) as string[];
    expect(globals.sort()).toEqual([...language, ...added, 'WebAssembly'].sort());
  });

  test('console writes formatted lines with their level', async () => {
    await run(
      "console.log('a', 1, { b: [2] }, null, undefined, 3n, new TypeError('bad')); console.warn('w'); console.error(() => 1); console.debug(Symbol('s'));",
    );
    expect(plugin.logs.slice(-4)).toEqual([
      { level: 'info', text: 'a 1 {"b":[2]} null undefined 3 TypeError: bad' },
      { level: 'warn', text: 'w' },
      { level: 'error', text: '[function]' },
      { level: 'debug', text: 'Symbol(s)' },
    ]);
  });

  test('timers fire in the order of their moments, with their arguments, until cleared', async () => {
    expect(
      await run(`const seen = []; let every;
        setTimeout((a, b) => seen.push(a + b), 30, 'late', '!'); setTimeout(() => seen.push('early'), 5);
        clearTimeout(setTimeout(() => seen.push('never'), 5));
        every = setInterval(() => seen.push('tick') && clearInterval(every), 1);
        queueMicrotask(() => seen.push('first'));
        await new Promise((resolve) => setTimeout(resolve, 60)); return seen;`),
    ).toEqual(['first', 'tick', 'early', 'late!']);
  });

  test('timers die with the last call', async () => {
    await run('globalThis.fired = 0; setTimeout(() => globalThis.fired++, 1);');
    expect(
      await run(
        'await new Promise((resolve) => setTimeout(resolve, 30)); return globalThis.fired;',
      ),
    ).toBe(0);
  });

  test('a timer that throws is a line in the log', async () => {
    await run(
      "setTimeout(() => { throw new Error('tick'); }, 1); await new Promise((resolve) => setTimeout(resolve, 20));",
    );
    expect(plugin.logs.at(-1)).toEqual({ level: 'error', text: 'A timer failed: tick' });
  });

  test.each([
    ['SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['SHA-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'SHA-384',
      'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
    ],
    [
      'sha-512',
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    ],
  ])('crypto.subtle.digest gives %s of "abc" as FIPS 180 does', async (algorithm, hex) => {
    expect(
      await run(
        `const digest = await crypto.subtle.digest(${JSON.stringify(algorithm)}, new TextEncoder().encode('abc'));
         return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');`,
      ),
    ).toBe(hex);
  });

  test('crypto.subtle.digest refuses other algorithms', async () => {
    expect(
      await run(
        "return crypto.subtle.digest('MD5', new Uint8Array()).catch((error) => error.name);",
      ),
    ).toBe('NotSupportedError');
  });

  test('crypto gives random bytes and UUIDs that differ, also between isolates', async () => {
    const code = 'return [crypto.randomUUID(), ...crypto.getRandomValues(new Uint32Array(4))];';
    const other = await startPlugin(sandboxes, { definition });
    const reply = await other.call('run', code);
    const values = [
      ...((await run(code)) as unknown[]),
      ...(JSON.parse(String(reply.kind === 'returned' && reply.body)) as unknown[]),
    ];
    expect(new Set(values).size).toBe(10);
    expect(values[0]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(
      await run(
        'try { crypto.getRandomValues(new Float32Array(1)); } catch (e) { return e.name; }',
      ),
    ).toBe('TypeMismatchError');
    expect(
      await run(
        'try { crypto.getRandomValues(new Uint8Array(65537)); } catch (e) { return e.name; }',
      ),
    ).toBe('QuotaExceededError');
  });

  test('performance.now returns whole milliseconds that never decrease', async () => {
    expect(
      await run(
        'const a = performance.now(); const b = performance.now(); return [a % 1, b >= a];',
      ),
    ).toEqual([0, true]);
  });

  test('an abort signal notifies its listeners once, with its reason', async () => {
    expect(
      await run(`const seen = []; const controller = new AbortController(); const { signal } = controller;
        signal.addEventListener('abort', (event) => seen.push(event.type)); signal.onabort = () => seen.push('on');
        controller.abort('why'); controller.abort('again');
        let thrown; try { signal.throwIfAborted(); } catch (reason) { thrown = reason; }
        const late = AbortSignal.timeout(5); const any = AbortSignal.any([late]);
        await new Promise((resolve) => any.addEventListener('abort', resolve));
        return [seen, signal.aborted, signal.reason, thrown, AbortSignal.abort().reason.name, any.reason.name];`),
    ).toEqual([['on', 'abort'], true, 'why', 'why', 'AbortError', 'TimeoutError']);
  });
});
