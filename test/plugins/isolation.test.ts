/** Plugins on a system that has no namespaces for them, where an admin wants no plugin without. */
import { expect, onTestFinished, test } from 'vitest';
import { createPluginFolder, startPluginServer } from './plugin-server.ts';

test('an installed plugin fails and says why, a built-in one runs', async () => {
  const folder = await createPluginFolder();
  onTestFinished(folder.remove);
  await folder.add({ id: 'stranger' }, 'export default {};');
  await folder.add({ id: 'ours' }, 'export default {};', 'builtins');
  const server = await startPluginServer(folder, [], {
    isolation: { isolation: 'require', wrappers: [] },
  });
  onTestFinished(server.stop);

  await server.plugins.grants.set('stranger', {});
  await server.until(({ type, data }) => type === 'plugin.error' && 'pluginId' in data);

  expect(server.plugins.registry.get('ours')).toMatchObject({ state: 'running' });
  expect(server.plugins.registry.get('stranger')).toMatchObject({
    state: 'failed',
    errorMessage: expect.stringContaining('--plugin-isolation require'),
  });
});
