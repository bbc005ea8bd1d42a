/** No way leads to code that was revoked: neither a new package, nor a way back, nor a start of the server. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../kernel/run/index.ts';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from '../plugins/plugin-server.ts';
import { createPublisher } from '../support/plugins/packages.ts';
import { installFirst, stateOf, versionOf } from './failing-upgrade.ts';

const signer = createPublisher();
const id = 'keeper';
/** Versions that must not run. */
let revoked: ReadonlySet<string>;
let folder: PluginFolder;
let server: PluginServer;

const verdict: Verdict = ({ version }) => (revoked.has(version) ? `${version} leaks.` : null);
const start = () => startPluginServer(folder, [], { verdict });
const place = async (version: string, more = '') =>
  server.plugins.installs.place(await versionOf(version, signer, { more }), { source: null });
const revoke = async (...versions: readonly string[]): Promise<void> => {
  revoked = new Set(versions);
  await server.plugins.installs.judge();
};
const skipped = () =>
  server.plugins.registry.skipped().map(({ version, reason }) => [version, reason]);

beforeAll(async () => {
  revoked = new Set();
  folder = await createPluginFolder();
  server = await start();
  await installFirst(server, signer);
});

beforeEach(() => revoke());

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe('a package that is revoked', () => {
  test('is not put in place', async () => {
    await revoke('1.1.0');

    expect(await place('1.1.0')).toEqual({
      kind: 'refused',
      code: 'REVOKED',
      message: 'keeper was not installed. 1.1.0 leaks.',
    });
    expect(await stateOf(server)).toMatchObject({ version: '1.0.0' });
  });

  test('is not gone back to, and the version that is there runs on', async () => {
    await place('1.2.0');
    await revoke('1.0.0');

    expect(await server.plugins.installs.rollBack(id)).toEqual({
      kind: 'refused',
      code: 'REVOKED',
      message: 'There is no version to go back to. 1.0.0 leaks.',
    });
    expect(await stateOf(server)).toMatchObject({ version: '1.2.0' });
    expect(server.plugins.installs.find(id)).toMatchObject({ earlier: [{ version: '1.0.0' }] });
  });

  test('does not run in place of a version that is taken back', async () => {
    await place('1.3.0');
    revoked = new Set(['1.3.0']);

    const outcome = await place('1.4.0', 'throw new Error("No.");');

    expect(outcome).toMatchObject({ kind: 'refused', code: 'START_FAILED' });
    expect(server.plugins.installs.find(id)).toMatchObject({
      version: '1.3.0',
      revoked: '1.3.0 leaks.',
    });
    expect(skipped()).toEqual([['1.3.0', 'revoked']]);
    await expect(stateOf(server)).rejects.toThrow(/not running/);
  });

  test('does not start with a server that hears of it only then', async () => {
    const before = await stateOf(server);
    await server.stop();
    revoked = new Set(['1.3.0']);
    server = await start();

    expect(before).toMatchObject({ version: '1.3.0' });
    expect(skipped()).toEqual([['1.3.0', 'revoked']]);
    expect(server.plugins.registry.get(id).state).not.toBe('running');
    expect(server.plugins.usage.logs(id)).toEqual([]);
  });
});
