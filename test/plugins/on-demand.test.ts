/** A plugin that starts on demand, with the real sandbox. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';

let folder: PluginFolder;
let server: PluginServer | undefined;

beforeEach(async () => {
  folder = await createPluginFolder();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await folder.remove();
});

async function startSleeper(source: string) {
  const resources = { starts: 'on-demand', instances: 2 };
  await folder.add({ id: 'sleeper', resources, capabilities: ['probe'] }, source, 'builtins');
  server = await startPluginServer(folder);
  const { dispatcher } = server;
  const ask = () =>
    dispatcher.dispatch({
      pluginId: 'sleeper',
      method: 'probe.probe',
      inputJson: '{}',
      timeoutMs: 20_000,
    });
  return { ...server, ask };
}

test('a plugin on demand can be asked at once, and takes no memory before', async () => {
  const { plugins, ask } = await startSleeper(
    `export default { methods: { 'probe.probe': () => 'awake' } };`,
  );

  expect(plugins.registry.get('sleeper').state).toBe('running');
  expect(plugins.providers.allOf('probe')).toEqual(['sleeper']);
  expect(plugins.usage.of('sleeper')).toMatchObject({ calls: 0, memoryBytes: 0 });
  expect(await ask()).toMatchObject({ kind: 'returned', value: 'awake' });
});

test('a plugin on demand that cannot start shows why, and is tried again', async () => {
  const { plugins, ask, until } = await startSleeper(
    `export default (() => { throw new Error('Out of order.'); })();`,
  );

  expect(await ask()).toMatchObject({ kind: 'threw', code: 'plugin_crashed' });
  await until(({ type }) => type === 'plugin.error');

  expect(plugins.registry.get('sleeper').errorMessage).toContain('Out of order.');
  expect(plugins.registry.get('sleeper').restartAttempts).toBe(1);
});
