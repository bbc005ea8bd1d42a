import { Type } from '@sinclair/typebox';
import { List, Named, Nullable, OneOf, Timestamp, type Shape } from '../schema-parts.ts';

/** How bad a problem is. `critical`: the server cannot do its work. `error`: a part of it does not work. */
export const problemSeverities = ['warning', 'error', 'critical'] as const;

export type ProblemSeverity = (typeof problemSeverities)[number];

/** What is known of every problem with a code. */
interface ProblemKind {
  /** The severity, where the problem itself does not state another. */
  readonly severity: ProblemSeverity;
  /** The source of its notification. */
  readonly source: string;
  /** It comes and goes too fast for a notification. */
  readonly isSilent?: true;
}

/** Every code of a problem. The page docs/problems.md lists them. */
export const problemKinds = {
  cannot_write: { severity: 'critical', source: 'storage' },
  database_unreachable: { severity: 'critical', source: 'storage' },
  database_slow: { severity: 'error', source: 'storage', isSilent: true },
  database_damaged: { severity: 'error', source: 'storage' },
  disk_nearly_full: { severity: 'warning', source: 'storage' },
  blobs_failing: { severity: 'warning', source: 'storage' },
  secrets_unreadable: { severity: 'error', source: 'storage' },
  backup_failed: { severity: 'error', source: 'backups' },
  backup_absent: { severity: 'error', source: 'backups' },
  backup_overdue: { severity: 'error', source: 'backups' },
  task_failed: { severity: 'error', source: 'scheduler' },
  index_expired: { severity: 'error', source: 'marketplace' },
  library_unreachable: { severity: 'error', source: 'libraries' },
  library_scan_failed: { severity: 'error', source: 'libraries' },
  library_incomplete: { severity: 'warning', source: 'libraries' },
  library_unwatched: { severity: 'warning', source: 'libraries' },
  plugin_given_up: { severity: 'warning', source: 'plugins' },
  plugin_failing: { severity: 'warning', source: 'plugins' },
  permissions_pending: { severity: 'warning', source: 'plugins' },
  server_missing: { severity: 'warning', source: 'servers' },
  server_differs: { severity: 'error', source: 'servers' },
  open_files: { severity: 'error', source: 'server' },
  overloaded: { severity: 'error', source: 'server', isSilent: true },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problemKinds;

/** Every status of a server. With `failing` it cannot read or write. */
export const healthStatuses = ['ok', 'starting', 'degraded', 'failing'] as const;

/** What a server may do, of several on one database. */
export const serverRoles = ['web', 'jobs', 'leader', 'convert'] as const;

export type ServerRole = (typeof serverRoles)[number];

const Count = Type.Integer({ minimum: 0 });

/** A problem of the server, as admins see it. */
const ProblemReply = Named(
  'Problem',
  Type.Object({
    code: OneOf(Object.keys(problemKinds), { description: 'docs/problems.md lists the codes' }),
    severity: OneOf(problemSeverities, {
      description: 'critical: the server cannot do its work; error: a part of it does not work',
    }),
    subject: Type.Object(
      { type: Type.String(), id: Type.String() },
      { description: 'What has the problem, such as {type: "library", id}' },
    ),
    message: Type.String({ description: 'What is wrong' }),
    action: Type.String({ description: 'What to do' }),
    since: Timestamp,
  }),
);

/** A problem as it is shown, in the language of its reader. */
export type Problem = Shape<typeof ProblemReply>;

export const ReadyReply = Named(
  'Readiness',
  Type.Object({
    ready: Type.Boolean(),
    roles: List(OneOf(serverRoles), { description: 'What this server does, of several' }),
    reasons: List(Type.Object({ code: Type.String(), message: Type.String() }), {
      description: 'Why it is not ready: starting, stopping, or the code of a problem',
    }),
  }),
);

/** Whether the server can serve all requests now. It names no path, since everyone may read it. */
export type ReadyState = Shape<typeof ReadyReply>;

export const HealthReply = Named(
  'Health',
  Type.Object({
    status: OneOf(healthStatuses),
    timestamp: Timestamp,
    version: Type.String(),
    uptime: Type.Number({ description: 'Seconds' }),
    plugins: Type.Object({
      bootComplete: Type.Boolean(),
      total: Count,
      running: Count,
      starting: Count,
      failed: Count,
    }),
    problems: Type.Optional(
      List(ProblemReply, {
        description: 'For admins only: the problems of the server, the worst first',
      }),
    ),
    marketplace: Type.Optional(
      Type.Object({
        expiredSources: Type.Integer({
          minimum: 1,
          description: 'Sources with an expired index: plugins are not installed from them',
        }),
      }),
    ),
    identity: Type.Optional(
      Type.Object({
        feedAgeSeconds: Type.Number({
          description: 'Since the last contact with the identity broker that was silent longest',
        }),
      }),
    ),
  }),
);

/** The Health resource of the specification. */
export type Health = Shape<typeof HealthReply>;

/** The text format of Prometheus. */
export const MetricsText = {
  description: 'https://prometheus.io/docs/instrumenting/exposition_formats/',
  content: { 'text/plain': { schema: Type.Unsafe<string>({ type: 'string' }) } },
};

export const StatsReply = Named(
  'Stats',
  Type.Object({
    users: Count,
    plugins: Type.Object({ total: Count, running: Count }),
    jobs: Type.Object({ running: Count }),
    streaming: Type.Object({ transcodeSessions: Count, wsClients: Count }),
    scheduler: List(
      Type.Object({
        name: Type.String(),
        interval: Type.Number({ description: 'Milliseconds' }),
        lastRun: Nullable(Timestamp),
      }),
    ),
    uptime: Type.Number({ description: 'Seconds' }),
    pluginIsolation: OneOf(['namespaces', 'landlock', 'process'], {
      description: 'How the process of an installed plugin is isolated',
    }),
    conversion: Type.Object(
      {
        version: Nullable(Type.String({ description: 'As ffmpeg says it' })),
        cage: Nullable(OneOf(['bwrap', 'landlock', 'none'])),
        encoder: Nullable(Type.String({ description: 'Of pictures: `software` or a device' })),
        maxHeight: Nullable(Type.Integer({ description: 'Highest picture converted in time' })),
        missing: Nullable(Type.String({ description: 'Why nothing is converted' })),
      },
      { description: 'The program that converts media, and its cage' },
    ),
    memoryUsage: Type.Integer({ description: 'Bytes' }),
  }),
);

/** The Stats resource of the specification. */
export type Stats = Shape<typeof StatsReply>;
