import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compileCache } from '../../../test/support/run/built-program.ts';
import { testByNight } from '../../../test/support/run/test-by-night.ts';

const main = path.resolve(import.meta.dirname, '../../../dist/server.mjs');

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly code: Promise<number | null>;
  readonly listening: Promise<string>;
}

function run(args: readonly string[]): Run {
  const child = spawn(process.execPath, [main, 'broker', ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const code = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const listening = new Promise<string>((resolve, reject) => {
    const read = (part: Buffer): void => {
      output += part.toString();
      const url = /^Vitrine broker listening on (http:\/\/\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void code.then(() => reject(new Error(output)));
  });
  listening.catch(() => undefined);
  return { child, output: () => output, code, listening };
}

testByNight(
  'vitrine broker prints its address, locks its folder, and shuts down cleanly',
  async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'vitrine-test-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const args = ['--port', '0', '--data', data];
    const broker = run(args);
    const url = await broker.listening;

    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    const health = await fetch(`${url.replace('localhost', '127.0.0.1')}/api/health`);
    expect(await health.json()).toEqual({ status: 'ok', version: expect.any(String) });
    expect(statSync(path.join(data, 'broker.key')).mode & 0o777).toBe(0o600);

    const second = run(args);
    expect(await second.code).toBe(1);
    expect(second.output()).toMatch(/is in use by process \d+/);

    const off = run(['app-disable', 'app_nobody', '--data', data]);
    expect(await off.code).toBe(1);
    expect(off.output()).toBe('vitrine: there is no app app_nobody.\n');

    broker.child.kill('SIGTERM');
    expect(await broker.code).toBe(0);
    expect(readdirSync(data).sort()).toEqual([
      'broker.db',
      'broker.key',
      'feed.json',
      'vitrine.lock',
    ]);
  },
  120_000,
);

test('app-disable creates no database where there is none', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-test-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));

  const off = run(['app-disable', 'app_nobody', '--data', data]);
  expect(await off.code).toBe(2);
  expect(readdirSync(data)).toEqual([]);
}, 60_000);
