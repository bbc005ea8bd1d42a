import type { MigrationSet } from '../../kernel/store/index.ts';
import { pluginMigrations } from '../../kernel/run/index.ts';
import { accountMigrations } from '../people/accounts/index.ts';
import { inviteMigrations } from '../people/invites/index.ts';
import { profileMigrations } from '../people/profiles/index.ts';
import { auditMigrations } from '../platform/audit/index.ts';
import { clusterMigrations } from '../platform/cluster/index.ts';
import { collectionMigrations } from '../viewing/collections/index.ts';
import { eventLogMigrations } from '../plugins/event-log/index.ts';
import { identityMigrations } from '../people/identity/index.ts';
import { jobMigrations } from '../work/jobs/index.ts';
import { libraryMigrations } from '../library/catalogue/index.ts';
import { licenseMigrations } from '../operations/license/index.ts';
import { marketplaceMigrations } from '../plugins/marketplace/index.ts';
import { matchingMigrations } from '../library/matching/index.ts';
import { notificationMigrations } from '../platform/notifications/index.ts';
import { problemMigrations } from '../platform/problems/index.ts';
import { conversionMigrations } from '../viewing/conversion/index.ts';
import { sessionMigrations } from '../viewing/playback-sessions/index.ts';
import { playbackMigrations } from '../viewing/playback/index.ts';
import { schedulerMigrations } from '../work/scheduler/index.ts';
import { updateMigrations } from '../operations/updates/index.ts';

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
  sessionMigrations,
  conversionMigrations,
  identityMigrations,
  marketplaceMigrations,
  notificationMigrations,
  schedulerMigrations,
  updateMigrations,
  eventLogMigrations,
  clusterMigrations,
  problemMigrations,
];
