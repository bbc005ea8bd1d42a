import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createPackageSwaps } from './package-swaps.ts';
import { pluginMigrations } from '../plugin-migrations.ts';
import { findSettings, saveSettings } from '../settings/plugin-store.ts';
import { newSettings } from '../registry/installed-plugins.ts';

test('a version that comes back reaches no further than what was decided since', async () => {
  const { database } = await openTestStorage({ migrations: [pluginMigrations] });
  const swaps = createPackageSwaps({
    database,
    onPackageChange: () => async () => undefined,
    verdict: () => null,
    clock: createFakeClock(),
  });
  const wide = { asked: {}, granted: {}, reach: 'all' as const };
  const narrow = { ...wide, reach: [{ id: 'films', folders: ['file:///films/Kids'] }] };
  const put = (version: string) =>
    swaps.putInPlace(
      {
        ...{ pluginId: 'p', version, sha256: version, publisherKey: 'k', source: null },
        ...{ phase: 'settled', phaseAt: 0, revoked: null },
      },
      { settings: { ...newSettings, grant: wide }, alongside: undefined },
    );
  await put('1.0.0');
  await put('2.0.0');
  await database.write((trx) => saveSettings(trx, 'p', { ...newSettings, grant: narrow }));

  await swaps.goBack('p', '1.0.0', undefined);

  expect((await findSettings(database.read, 'p'))?.grant).toEqual(narrow);
});
