/** The maintenance of a server: backups, updates, and scheduled tasks. */
import type { EventBus } from '../../kernel/events/index.ts';
import { isNewer } from '../../kernel/plugins/packages/index.ts';
import {
  createBackups,
  stageRestore,
  type Backups,
  type WantedRestore,
} from '../operations/backups/index.ts';
import type { Marketplace } from '../plugins/marketplace/index.ts';
import type { OperatorFetch } from '../platform/net/index.ts';
import { createDiskWatch, type Notifications } from '../platform/notifications/index.ts';
import { createScheduler, type RecurringWork, type Scheduler } from '../work/scheduler/index.ts';
import { createUpdates, type Updates } from '../operations/updates/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { migrations } from './migrations.ts';

/** The maintenance of a server. */
export interface Maintenance {
  readonly backups: Backups;
  readonly updates: Updates;
  readonly scheduler: Scheduler;
  /** Resolves when an admin requested a restore. */
  readonly restoreRequested: Promise<WantedRestore>;
}

/** What the maintenance is built from. */
export interface MaintenanceNeeds {
  readonly emit: EventBus['emit'];
  readonly operatorFetch: OperatorFetch;
  readonly notifications: Notifications;
  readonly marketplace: Marketplace;
  readonly scanAll: () => Promise<void>;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Builds it; nothing runs before the scheduler starts. */
export function composeMaintenance(
  infrastructure: Infrastructure,
  needs: MaintenanceNeeds,
): Maintenance {
  const { config, built, cluster, isLeader, clock, log } = infrastructure;
  const audit = infrastructure.audit.inTransaction;
  const asked = Promise.withResolvers<WantedRestore>();
  const { data: dataFolder, database: databaseUrl } = config;
  const backups = createBackups({
    ...infrastructure,
    databaseUrl,
    dataFolder,
    folder: config.backupFolder,
    kept: config.backupKeep,
    serverVersion: built.version,
    stage: (file) => stageRestore(file, { dataFolder, databaseUrl, migrations, log }),
    restart: asked.resolve,
    audit,
  });
  const updates = createUpdates({
    ...infrastructure,
    currentVersion: built.version,
    url: config.updateUrl,
    key: config.updateKey,
    fetch: needs.operatorFetch,
    isNewer,
    notify: needs.notifications.notify,
    audit,
  });
  const scheduler = createScheduler({
    ...infrastructure,
    audit,
    works: recurringWorks(infrastructure, { ...needs, backups, updates }),
    emit: needs.emit,
    mayBegin: isLeader,
    ...(cluster && { claim: cluster.claim }),
    clock,
    random: Math.random,
  });
  return { backups, updates, scheduler, restoreRequested: asked.promise };
}

const recurringWorks = (
  { config, audit }: Infrastructure,
  parts: MaintenanceNeeds & Pick<Maintenance, 'backups' | 'updates'>,
): readonly RecurringWork[] => [
  {
    name: 'library-scan',
    purpose: 'Scans every library, for changes that watching its folders may have missed.',
    intervalMs: config.scanHours * hourMs,
    waitsFirst: true,
    run: parts.scanAll,
  },
  {
    name: 'backup',
    purpose: 'Makes a backup, and removes the oldest scheduled ones above the limit.',
    intervalMs: config.database.startsWith('sqlite:') ? config.backupHours * hourMs : 0,
    waitsFirst: true,
    run: parts.backups.createScheduled,
  },
  {
    name: 'update-check',
    purpose: 'Checks whether there is a newer version; it does not install it.',
    intervalMs: config.updateUrl === null ? 0 : 24 * hourMs,
    run: async () => {
      await parts.updates.check();
    },
  },
  {
    name: 'marketplace',
    purpose: 'Fetches the marketplace sources, and stops plugins that they revoked.',
    intervalMs: config.marketplaceMinutes * minuteMs,
    run: async () => {
      await parts.marketplace.refresh();
    },
  },
  {
    name: 'disk-space',
    purpose: 'Notifies admins when the disk of the data folder is almost full.',
    intervalMs: 10 * minuteMs,
    isLocal: true,
    run: createDiskWatch({ folder: config.data, notify: parts.notifications.notify }),
  },
  {
    name: 'audit-head',
    purpose: 'Writes the last hash of the audit log into the log of the server.',
    intervalMs: 24 * hourMs,
    run: audit.logHead,
  },
  {
    name: 'notifications',
    purpose: 'Deletes notifications that were read a month ago.',
    intervalMs: 24 * hourMs,
    run: parts.notifications.tidy,
  },
];
