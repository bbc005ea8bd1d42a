/** A server that is killed in the middle of an upgrade has the old version at its next start, whole. */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
} from '../plugins/plugin-server.ts';
import { bundleOf } from '../support/run/bundle-of.ts';
import { oldState, stateOf } from './failing-upgrade.ts';

let script: string;
let folder: PluginFolder;
let moments: readonly string[];

async function run(
  moment: string,
): Promise<{ readonly signal: string | null; readonly output: string }> {
  const child = spawn(process.execPath, [script, folder.data, moment, folder.database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<string | null>((resolve) =>
    child.on('exit', (_code, signal) => resolve(signal)),
  );
  const output = await text(child.stdout);
  return { signal: await ended, output };
}

beforeAll(async () => {
  script = await bundleOf(path.join(import.meta.dirname, 'killed-upgrade.ts'));
  folder = await createPluginFolder();
  await run('install');
  moments = JSON.parse((await run('-1')).output) as readonly string[];
});

afterAll(async () => {
  await folder.remove();
  await rm(path.dirname(script), { recursive: true });
});

describe('an upgrade during which the server is killed', () => {
  test('is undone at the next start: old code, configuration and data', async () => {
    // At the very last moment the new version has run, and that is written down.
    const kills = moments.flatMap((_, at) => (at % 6 === 0 && at < moments.length - 1 ? [at] : []));
    for (const at of kills) {
      const { signal } = await run(String(at));
      const server = await startPluginServer(folder);
      try {
        const found = { at, moment: moments[at], signal, state: await stateOf(server) };
        expect(found).toEqual({ ...found, signal: 'SIGKILL', state: oldState });
      } finally {
        await server.stop();
      }
    }

    expect(moments.length).toBeGreaterThanOrEqual(48);
  }, 400_000);

  test('is what counts when it was killed after the new version ran, until somebody goes back', async () => {
    const { signal } = await run(String(moments.length - 1));
    const server = await startPluginServer(folder);

    const state = await stateOf(server);
    await server.plugins.installs.rollBack('keeper');
    const back = await stateOf(server);
    await server.stop();

    expect(signal).toBe('SIGKILL');
    expect([state, back]).toEqual([{ ...oldState, version: '1.1.0' }, oldState]);
  });
});
