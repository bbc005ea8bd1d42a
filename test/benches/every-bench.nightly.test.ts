import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { benches } from './benches.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** It installs generators of clients, for which it needs a registry. */
const needsRegistry = 'clients';
const names = Object.keys(benches).filter((name) => name !== needsRegistry);
const longestMs = 15 * 60_000;

test.each(names)(
  'the bench %s comes to an end at its smallest size, from a clone alone',
  async (name) => {
    const script = path.join(root, 'test/benches/run.ts');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const { stdout } = await run(process.execPath, [script, name, '--smallest'], {
      ...{ cwd: root, env, timeout: longestMs, killSignal: 'SIGTERM' },
    });

    expect(stdout).toMatch(new RegExp(`^${name}: [\\d.]+ s$`, 'm'));
  },
  longestMs + 60_000,
);
