import type { MigrationSet } from '../store/index.ts';
import { createPackageBytesTable } from './packages/package-bytes.ts';
import { createPackageTable } from './packages/package-store.ts';
import { createProviderTable } from './providers/provider-choices.ts';
import { createSecretTable } from './secrets/secret-store.ts';
import { createProfileAgreementTable } from './settings/profile-agreement-store.ts';
import { createProfileSettingsTable } from './settings/profile-settings-store.ts';
import { createSettingsTable } from './settings/plugin-store.ts';

/** The tables of this folder. */
export const pluginMigrations: MigrationSet = {
  name: 'plugins',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await createSettingsTable(trx);
        await createPackageTable(trx);
        await createPackageBytesTable(trx);
        await createSecretTable(trx);
        await createProviderTable(trx);
        await createProfileSettingsTable(trx);
        await createProfileAgreementTable(trx);
      },
    },
  ],
};
