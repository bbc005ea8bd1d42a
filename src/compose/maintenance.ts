/** The maintenance of a server: backups, updates, and scheduled tasks. */
import type { EventBus } from '../../kernel/call/events/index.ts';
import { isNewer } from '../../kernel/run/packages/index.ts';
import {
  createBackups,
  hasPostgresPrograms,
  stageRestore,
  type WantedRestore,
} from '../operations/backups/index.ts';
import type { Marketplace } from '../plugins/marketplace/index.ts';
import type { OperatorFetch } from '../platform/net/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import { createScheduler, type RecurringWork } from '../work/scheduler/index.ts';
import { createUpdates } from '../operations/updates/index.ts';
import type { Config } from '../platform/config.ts';
import { readPassphrase } from '../platform/secrets/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Infrastructure } from './infrastructure.ts';
import { migrations } from './migrations.ts';
import type { ProblemTable } from './problems.ts';

/** The maintenance of a server. */
export type Maintenance = ReturnType<typeof composeMaintenance>;

export interface MaintenanceNeeds {
  readonly emit: EventBus['emit'];
  readonly operatorFetch: OperatorFetch;
  readonly notifications: Notifications;
  readonly problems: ProblemTable;
  readonly marketplace: Marketplace;
  readonly scanAll: () => Promise<void>;
  readonly tidyJobs: () => Promise<void>;
  readonly startMediaJobs: () => Promise<void>;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
const nightHour = 2;

/** Builds it; nothing runs before the scheduler starts. */
export function composeMaintenance(infrastructure: Infrastructure, needs: MaintenanceNeeds) {
  const { config, built, cluster, isLeader, clock, log } = infrastructure;
  const audit = infrastructure.audit.inTransaction;
  const asked = Promise.withResolvers<WantedRestore>();
  const { data: dataFolder, database: databaseUrl } = config;
  const backups = createBackups({
    ...infrastructure,
    // pg_dump needs a session of its own, too.
    databaseUrl: config.databaseSession ?? databaseUrl,
    searchPath: config.searchPath,
    dataFolder,
    folder: config.backupFolder,
    kept: config.backupKeep,
    passphrase: passphraseOf(config),
    serverVersion: built.version,
    stage: (file) =>
      stageRestore(file, { dataFolder, databaseUrl, migrations, appVersion: built.version, log }),
    restart: asked.resolve,
    audit,
    changed: (change) => needs.emit('backup.changed', { change }),
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
    database: infrastructure.duties,
    audit,
    works: recurringWorks(infrastructure, { ...needs, backups, updates }),
    emit: needs.emit,
    mayBegin: isLeader,
    onChange: needs.problems.lookAtTasks,
    ...(cluster && { claim: cluster.claim }),
    clock,
    random: Math.random,
  });
  return {
    backups,
    updates,
    scheduler /** Resolves when an admin requested a restore. */,
    restoreRequested: asked.promise,
  };
}

/** Refuses an unusable file at the start. It is read again for each backup, so it can be replaced. */
function passphraseOf({ backupPassphraseFile: file }: Config): () => string | null {
  if (file === null) return () => null;
  readPassphrase(file);
  return () => readPassphrase(file);
}

/** Without PostgreSQL's programs it cannot, which is a problem of its own. */
const makesBackups = ({ database, backupElsewhere, searchPath }: Config): boolean =>
  database.startsWith('sqlite:') || (backupElsewhere === 'off' && hasPostgresPrograms(searchPath));

const recurringWorks = (
  { config, audit, clock }: Infrastructure,
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
    intervalMs: makesBackups(config) ? config.backupHours * hourMs : 0,
    waitsFirst: true,
    run: async () => {
      await parts.backups.createScheduled();
    },
  },
  {
    name: 'update-check',
    purpose: 'Checks whether there is a newer version; it does not install it.',
    intervalMs: config.updateUrl === null ? 0 : 24 * hourMs,
    run: async () => {
      const { lastError } = await parts.updates.check();
      if (lastError !== null) throw new AppError('unavailable', { what: lastError });
    },
  },
  {
    name: 'marketplace',
    purpose: 'Fetches the marketplace sources, and stops plugins that they revoked.',
    intervalMs: config.marketplaceMinutes * minuteMs,
    run: async () => {
      const failed = (await parts.marketplace.refresh()).filter(({ error }) => error !== null);
      if (failed.length === 0) return;
      const what = failed.map(({ name, url, error }) => `${name || url}: ${error ?? ''}`).join(' ');
      throw new AppError('unavailable', { what });
    },
  },
  {
    name: 'disk-space',
    purpose: 'Notifies admins when the disk of the data folder is almost full.',
    intervalMs: 10 * minuteMs,
    isLocal: true,
    run: parts.problems.lookAtSpace,
  },
  {
    name: 'audit-head',
    purpose: 'Writes the last hash of the audit log into the log of the server.',
    intervalMs: 24 * hourMs,
    run: audit.logHead,
  },
  {
    name: 'audit-repeats',
    purpose: 'Writes what people repeated within an hour into the audit log, as one entry each.',
    intervalMs: 10 * minuteMs,
    run: audit.endHours,
  },
  {
    name: 'notifications',
    purpose: 'Deletes notifications that were read a month ago.',
    intervalMs: 24 * hourMs,
    run: parts.notifications.tidy,
  },
  {
    name: 'media-jobs',
    purpose:
      'At two in the night: starts the jobs that look at media (stills, loudness, trickplay).',
    intervalMs: hourMs,
    waitsFirst: true,
    run: async () => {
      if (new Date(clock.now()).getHours() === nightHour) await parts.startMediaJobs();
    },
  },
  {
    name: 'jobs',
    purpose: 'Deletes jobs that finished long ago.',
    intervalMs: config.keepJobsDays === 0 ? 0 : 24 * hourMs,
    run: parts.tidyJobs,
  },
];
