/** The infrastructure of every domain: database, clock, keys, cluster, audit log. */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../kernel/index.ts';
import type { openStorage, Database, Storage } from '../../kernel/store/index.ts';
import type { Passwords } from '../people/credentials/index.ts';
import { createAudit, type Audit } from '../platform/audit/index.ts';
import { steadyOf, type Clock } from '../platform/clock.ts';
import { openCluster, runningServers, type Cluster } from '../platform/cluster/index.ts';
import type { Config } from '../platform/config.ts';
import { openServerIdentity, type ServerIdentity } from '../people/identity/index.ts';
import { probeFolder } from '../platform/folder-probe.ts';
import { createListeners, type Listeners } from '../platform/listeners.ts';
import { createOwnAddresses, type OwnAddresses } from '../platform/net/index.ts';
import { createMetrics, type Metrics } from '../platform/metrics/index.ts';
import { createRefusalAudit, type RefusalAudit } from '../operations/health/index.ts';
import {
  createBackgroundScheduler,
  type BackgroundScheduler,
} from '../platform/background-scheduler.ts';
import {
  createSecretBox,
  derivedKey,
  layKeys,
  openServerKey,
  type SecretBox,
} from '../platform/secrets/index.ts';
import { OtherBlobs } from '../platform/internal/index.ts';
import type { RecentLog } from '../platform/recent-log.ts';
import { readLatestIdTime } from '../platform/latest-id-store.ts';
import { createUuidV7, type NewId } from '../platform/uuid-v7.ts';
import { composeBlobs, type Blobs } from './blobs.ts';
import { composeInternal, type Internal } from './internal.ts';
import type { Lifetime } from './lifetime.ts';
import { migrations } from './migrations.ts';

/** Where the build output is, and what the process keeps. */
export interface BuiltParts {
  /**
   * The folder with the plugin host, the guest runtime, the disk thread and the built-in plugins.
   */
  readonly folder: string;
  readonly version: string;
  /** The last lines of the log; absent = none are kept. */
  readonly recentLog?: RecentLog;
}

export interface InfrastructureParts {
  readonly config: Config;
  readonly built: BuiltParts;
  readonly clock: Clock;
  readonly open: typeof openStorage;
  readonly passwords: Passwords;
  readonly holds: Lifetime['holds'];
  readonly log: Log;
}

/** The infrastructure of every domain. */
export interface Infrastructure extends Omit<InfrastructureParts, 'open'> {
  readonly storage: Storage;
  readonly database: Database;
  /** The servers on the database, including this one; `null` = it is the only one. */
  readonly cluster: Cluster | null;
  /** How the servers ask each other; `null` = they do not. */
  readonly internal: Internal | null;
  /** What only other servers have in their data folders; `null` = they cannot be asked. */
  readonly otherBlobs: OtherBlobs | null;
  /** For the duties of the leader, whose writes take no effect after its term. */
  readonly duties: Database;
  /** Whether this server is the leader. */
  readonly isLeader: () => boolean;
  /** The server's own identity. */
  readonly server: ServerIdentity;
  readonly serverKey: Buffer;
  readonly secrets: SecretBox;
  readonly audit: Audit;
  readonly refusals: RefusalAudit;
  readonly metrics: Metrics;
  /** The code of each write that the database or its disk refused. */
  readonly refusedWrites: Listeners<string>;
  readonly background: BackgroundScheduler;
  readonly blobs: Blobs;
  /** The monotonic clock, for measuring and waiting. */
  readonly steady: Clock;
  readonly newId: NewId;
  /** Where this server is, which no plugin reaches over the network. */
  readonly ownAddresses: OwnAddresses;
}

/** Opens the database and joins the cluster. */
export async function openInfrastructure({
  open,
  ...parts
}: InfrastructureParts): Promise<Infrastructure> {
  const { config, clock, holds, log } = parts;
  const metrics = createMetrics({ log });
  const blobs = composeBlobs({ config, clock, log });
  const refusedWrites = createListeners<string>();
  const storage = await open({
    url: config.database,
    sessionUrl: config.databaseSession ?? undefined,
    driver: config.storageDriver,
    migrations,
    appVersion: parts.built.version,
    running: runningServers,
    keepsCopy: true,
    probeFolder,
    observeWrites: (seen) => {
      metrics.write(seen);
      if (seen.refusedWith !== null) refusedWrites.emit(seen.refusedWith);
    },
    log,
  });
  holds(storage.close);
  const { database } = storage;
  if (config.serverKeyFile !== null) layKeys(config.data, config.serverKeyFile);
  const server = openServerIdentity(config.data);
  const serverKey = openServerKey({ dataFolder: config.data, random: randomBytes });
  const cluster = await joined(storage, { ...parts, server, serverKey });
  if (cluster) holds(cluster.stop);
  const internal = composeInternal({ config, serverKey, clock, log }, cluster !== null);
  const audit = createAudit({ database, clock, log });
  holds(audit.close);
  const refusals = createRefusalAudit({
    record: (entry) => {
      audit
        .record({ ...entry, change: 'event' })
        .catch((err: unknown) => log.error({ err }, 'A refusal was not written to the audit log.'));
    },
    clock,
  });
  holds(refusals.flush);
  return {
    ...parts,
    storage,
    database,
    cluster,
    internal,
    otherBlobs:
      cluster && internal
        ? new OtherBlobs({ ask: internal.ask, servers: cluster.internalPorts, clock })
        : null,
    duties: cluster?.duties ?? database,
    isLeader: cluster?.isLeader ?? (() => true),
    ownAddresses: createOwnAddresses(config),
    server,
    serverKey,
    secrets: createSecretBox(serverKey, randomBytes),
    audit,
    refusals,
    metrics,
    refusedWrites,
    background: createBackgroundScheduler(clock),
    blobs,
    steady: steadyOf(clock),
    newId: createUuidV7({ now: clock.now, afterMs: await readLatestIdTime(database) }),
  };
}

async function joined(
  { shared, database, whyTooOld }: Storage,
  {
    built: { version },
    config,
    clock,
    log,
    server,
    serverKey,
  }: Pick<Infrastructure, 'built' | 'config' | 'clock' | 'log' | 'server' | 'serverKey'>,
): Promise<Cluster | null> {
  if (!shared) return null;
  const keyPrint = derivedKey(serverKey, `vitrine cluster ${server.serverId}`).toString('hex');
  const mayLead = (): boolean => config.roles.includes('leader');
  return openCluster({
    ...{ shared, database, mayLead, keyPrint, version, whyTooOld, clock, log },
    end: () => void process.kill(process.pid, 'SIGTERM'),
  });
}
