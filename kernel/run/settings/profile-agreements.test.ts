import { expect, test } from 'vitest';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { pluginMigrations } from '../plugin-migrations.ts';
import { createProfileAgreements } from './profile-agreements.ts';

test('an answer tells what it changes, and that it changes nothing', async () => {
  const { database } = await openTestStorage({ migrations: [pluginMigrations] });
  let granted: Permissions = { viewing: 'read' };
  const agreements = createProfileAgreements({
    database,
    grantedOf: () => granted,
    profileIn: (pluginId, profileId) => `${profileId} in ${pluginId}`,
  });
  const changes: unknown[] = [];
  const answer = (agrees: boolean) =>
    agreements.set({ pluginId: 'sync', profileId: 'ada' }, agrees, async (_, change) => {
      changes.push([change.before, change.after]);
    });

  await answer(false);
  await answer(true);
  await answer(true);
  granted = { viewing: 'write' };
  await answer(true);
  await answer(false);

  expect(changes).toEqual([
    [null, null],
    [null, 'read'],
    ['read', 'read'],
    ['read', 'write'],
    ['write', null],
  ]);
});
