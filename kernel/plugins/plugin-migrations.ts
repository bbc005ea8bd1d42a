import type { MigrationSet } from '../storage/index.ts';
import { earlierVersionsMigration, packageMigration } from './packages/package-store.ts';
import { providersMigration } from './providers/provider-choices.ts';
import { secretMigration } from './secrets/secret-store.ts';
import { profileSettingsMigration } from './settings/profile-settings-store.ts';
import {
  reachMigration,
  sealedSecretsMigration,
  settingsMigration,
  wholeGrantsMigration,
} from './settings/plugin-store.ts';

/** The tables of this folder. */
export const pluginMigrations: MigrationSet = {
  name: 'plugins',
  migrations: [
    settingsMigration,
    sealedSecretsMigration,
    packageMigration,
    secretMigration,
    reachMigration,
    providersMigration,
    wholeGrantsMigration,
    profileSettingsMigration,
    earlierVersionsMigration,
  ],
};
