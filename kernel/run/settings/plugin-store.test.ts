import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { pluginMigrations } from '../plugin-migrations.ts';
import { createPluginStore } from './plugin-store.ts';
import { newSettings } from '../registry/installed-plugins.ts';

test('a decision tells what it changes, and that it changes nothing', async () => {
  const { database } = await openTestStorage({ migrations: [pluginMigrations] });
  const store = createPluginStore(database);
  const changes: boolean[] = [];
  const decide = (decision: Partial<typeof newSettings>) =>
    store.change('probe', newSettings, decision, async (_, { before, after }) => {
      changes.push(!isDeepStrictEqual(before, after));
    });
  const asked = { library: 'read', fetch: undefined } as unknown as Permissions;
  const grant = { asked, granted: { library: 'read' }, reach: 'all' } as const;

  await decide({ isEnabled: newSettings.isEnabled });
  for (let no = 0; no < 2; no += 1) {
    await decide({ isEnabled: !newSettings.isEnabled });
    await decide({ grant });
    await decide({ configuration: { depth: 3 } });
  }

  expect(changes).toEqual([false, true, true, true, false, false, false]);
});
