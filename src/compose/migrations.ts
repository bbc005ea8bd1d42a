import { pluginMigrations, type MigrationSet } from '../../kernel/index.ts';
import { accountMigrations, inviteMigrations, profileMigrations } from '../accounts/index.ts';
import { auditMigrations } from '../audit/index.ts';
import { clusterMigrations } from '../cluster/index.ts';
import { collectionMigrations } from '../collections/index.ts';
import { eventLogMigrations } from '../event-log/index.ts';
import { identityMigrations } from '../identity/index.ts';
import { jobMigrations } from '../jobs/index.ts';
import { libraryMigrations } from '../library/index.ts';
import { licenseMigrations } from '../license/index.ts';
import { marketplaceMigrations } from '../marketplace/index.ts';
import { matchingMigrations } from '../matching/index.ts';
import { notificationMigrations } from '../notifications/index.ts';
import { playbackMigrations } from '../playback/index.ts';
import { schedulerMigrations } from '../scheduler/index.ts';
import { updateMigrations } from '../updates/index.ts';

/** The tables of every part, in the order of their creation. */
export const migrations: readonly MigrationSet[] = [
  pluginMigrations,
  auditMigrations,
  accountMigrations,
  profileMigrations,
  inviteMigrations,
  jobMigrations,
  libraryMigrations,
  collectionMigrations,
  matchingMigrations,
  licenseMigrations,
  playbackMigrations,
  identityMigrations,
  marketplaceMigrations,
  notificationMigrations,
  schedulerMigrations,
  updateMigrations,
  eventLogMigrations,
  clusterMigrations,
];
