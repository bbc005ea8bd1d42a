/** All measurements of one plugin, over its runs and versions. */
import type { PermissionName } from '../../../plugin-api/index.ts';
import type { SandboxUsage } from '../sandbox/index.ts';
import { createCallQuota, unlimitedQuota, type CallQuota } from './call-quota.ts';
import { createCallQueue, noQueue, type CallQueue } from './call-queue.ts';
import type { Clock } from '../plugin/clock.ts';
import type { QuotaUse } from './plugin-usage.ts';
import { createDiskGauge, type DiskGauge, type DiskMeasures } from './disk-gauge.ts';
import { createPowerLog, type OnRefusal, type PowerLog } from './power-log.ts';
import type { Quotas } from './quotas.ts';
import { createUsageChart, type UsageChart } from './usage-chart.ts';

/** The meter of one plugin. */
export interface Meter {
  readonly powers: PowerLog;
  readonly chart: UsageChart;
  readonly disk: DiskGauge;
  /** Quotas of host calls and their bytes per minute: shared by all instances of the plugin. */
  readonly hostCalls: CallQuota;
  readonly hostBytes: CallQuota;
  /** The queue of host calls of all instances. */
  readonly queue: CallQueue;
}

export interface MeterParts {
  readonly quotas: Quotas;
  readonly measures: DiskMeasures;
  readonly onRefusal: OnRefusal;
  readonly clock: Clock;
}

/** Creates the meter of a plugin; a later version continues the log and the chart of the earlier one. */
export function createMeter(parts: MeterParts, earlier?: Meter): Meter {
  const { quotas, clock } = parts;
  const bucket = (perMinute: number | null): CallQuota =>
    perMinute === null ? unlimitedQuota : createCallQuota(perMinute, clock);
  return {
    powers: earlier?.powers ?? createPowerLog(clock, parts.onRefusal),
    chart: earlier?.chart ?? createUsageChart(clock),
    disk: createDiskGauge(parts.measures, clock),
    hostCalls: bucket(quotas.hostCallsPerMinute),
    hostBytes: bucket(quotas.hostBytesPerMinute),
    queue: quotas.hostCallsPerMinute === null ? noQueue : createCallQueue(),
  };
}

/** Methods by which the server uses a plugin's power without a host call. */
const exercises: Readonly<Record<string, PermissionName>> = {
  'hook.dispatch': 'metadata',
  'indexer.index': 'metadata',
  'probe.probe': 'metadata',
  'job.run': 'jobs',
  'schedule.wake': 'schedule',
};

/** The power that a call into a plugin uses; `null` = none. */
export function exercisedBy(method: string, name: string | undefined): PermissionName | null {
  if (name === 'pipeline.scan.prepare') return null;
  return Object.hasOwn(exercises, method) ? (exercises[method] ?? null) : null;
}

const secondsOfMinute = 60;

/** How much of each quota is used. */
export async function quotaUse(
  meter: Meter,
  quotas: Quotas,
  now: {
    readonly run: SandboxUsage | undefined;
    readonly queuedEvents: number;
    readonly logLines: number;
  },
): Promise<readonly QuotaUse[]> {
  const disk = await meter.disk.use();
  const { instances } = quotas;
  const limitOfDisk =
    quotas.textIndexBytes === null
      ? null
      : quotas.kvBytes + quotas.textIndexBytes + quotas.packageBytes;
  const minute = meter.chart.points().at(-2);
  return [
    {
      quota: 'memory',
      unit: 'bytes',
      used: now.run?.memoryBytes ?? 0,
      limit: quotas.isolateBytes * instances,
    },
    {
      quota: 'processMemory',
      unit: 'bytes',
      used: now.run?.processBytes ?? 0,
      limit: quotas.processBytes === null ? null : quotas.processBytes * instances,
    },
    {
      quota: 'cpu',
      unit: 'ms/s',
      used: Math.round((minute?.cpuMs ?? 0) / secondsOfMinute),
      limit: quotas.cpuMsPerSecond,
    },
    {
      quota: 'hostCalls',
      unit: 'calls/min',
      used: meter.hostCalls.used(),
      limit: quotas.hostCallsPerMinute,
    },
    {
      quota: 'hostBytes',
      unit: 'bytes/min',
      used: meter.hostBytes.used(),
      limit: quotas.hostBytesPerMinute,
    },
    { quota: 'eventQueue', unit: 'events', used: now.queuedEvents, limit: quotas.eventsQueued },
    { quota: 'kv', unit: 'bytes', used: disk.kvBytes, limit: quotas.kvBytes },
    {
      quota: 'textIndex',
      unit: 'bytes',
      used: disk.textIndexBytes,
      limit: quotas.textIndexBytes,
    },
    { quota: 'package', unit: 'bytes', used: disk.packageBytes, limit: quotas.packageBytes },
    {
      quota: 'disk',
      unit: 'bytes',
      used: disk.kvBytes + disk.textIndexBytes + disk.packageBytes,
      limit: limitOfDisk,
    },
    { quota: 'log', unit: 'lines', used: now.logLines, limit: quotas.logLines },
  ];
}
