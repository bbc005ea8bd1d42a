import { Type } from '@sinclair/typebox';
import { healthStatuses } from '../../../operations/health/index.ts';
import { List, Nullable, OneOf, Timestamp } from '../../schemas.ts';

const Count = Type.Integer({ minimum: 0 });

export const HealthReply = Type.Object({
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
});

/** The text format of Prometheus. */
export const MetricsText = {
  description: 'https://prometheus.io/docs/instrumenting/exposition_formats/',
  content: { 'text/plain': { schema: Type.Unsafe<string>({ type: 'string' }) } },
};

export const StatsReply = Type.Object({
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
  pluginIsolation: OneOf(['namespaces', 'process'], {
    description: 'How the process of an installed plugin is isolated',
  }),
  memoryUsage: Type.Integer({ description: 'Bytes' }),
});
