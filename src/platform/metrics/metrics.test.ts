import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventListener } from '../../../kernel/call/events/index.ts';
import { silentLog } from '../../../kernel/index.ts';
import { createMetrics, type MetricSources, type Metrics } from './index.ts';

interface Scene {
  readonly metrics: Metrics;
  readonly emit: (type: string, data: Record<string, unknown>) => void;
  readonly text: () => Promise<string>;
  time: number;
}

async function open(parts: Partial<MetricSources> = {}): Promise<Scene> {
  const listeners: { readonly pattern: string; readonly listener: EventListener }[] = [];
  const metrics = createMetrics({ log: silentLog });
  const scene: Scene = {
    metrics,
    time: 0,
    emit: (type, data) => {
      for (const { pattern, listener } of listeners)
        if (pattern === type) listener({ type, timestamp: '', data }, '');
    },
    text: async () => (await metrics.read())?.text ?? '',
  };
  await metrics.open({
    version: '1.2.3',
    plugins: () => [{ id: 'scanner', state: 'running', restartAttempts: 2 }],
    usageOf: () => usage,
    jobs: async () => ({ pending: 3, running: 1 }),
    ping: async () => ({ latencyMs: 4 }),
    databaseBytes: async () => 5000,
    liveClients: () => 7,
    playbackSessions: () => ({ remux: 2 }),
    transcode: { rates: () => [{ track: 'video', rate: 1.5 }], keptBytes: async () => 700 },
    scheduler: () => [
      {
        name: 'backup',
        lastRun: '1970-01-01T00:01:00.000Z',
        lastSuccess: '1970-01-01T00:00:30.000Z',
      },
    ],
    problems: () => [{ code: 'backup_failed', severity: 'error' }],
    freeBytes: async () => ({ data: 4096 }),
    hosts: () => [{ rssBytes: 100, pluginIds: ['scanner', 'search'] }],
    cluster: async () => ({ members: { present: 2, missing: 1 }, leaderSilenceMs: 1500 }),
    isLeader: () => true,
    events: {
      listen: (pattern, listener) => {
        listeners.push({ pattern, listener });
        return () => undefined;
      },
    },
    now: () => scene.time,
    ...parts,
  });
  onTestFinished(metrics.close);
  return scene;
}

const usage = {
  calls: 10,
  timeouts: 0,
  unknownHandlers: 0,
  cpuMs: 2500,
  memoryBytes: 1024,
  droppedEvents: 4,
  hostCalls: 20,
  refusedCalls: 6,
  failures: { total: 8, kinds: { threw: 8 }, handlers: [] },
} as unknown as ReturnType<MetricSources['usageOf']>;

describe('the metrics', () => {
  test('count nothing and read nothing before they are opened', async () => {
    const metrics = createMetrics({ log: silentLog });
    metrics.request({ method: 'GET', route: '/api/items', status: 200, durationMs: 1 });

    expect(await metrics.read()).toBeNull();
  });

  test('keep counting requests between scrapes', async () => {
    const { metrics, text } = await open();
    const answered = { method: 'GET', route: '/api/health', status: 200, durationMs: 1 };
    metrics.request(answered);
    await text();
    metrics.request(answered);

    const series = 'vitrine_http_requests_total{method="GET",route="/api/health",status="200"}';
    expect(await text()).toContain(`${series} 2`);
    expect(await text()).toContain(`${series} 2`);
  });

  test('count requests by method, route and status, with their durations in seconds', async () => {
    const { metrics, text } = await open();
    metrics.request({ method: 'GET', route: '/api/items/:id', status: 200, durationMs: 30 });
    metrics.request({ method: 'GET', route: '/api/items/:id', status: 404, durationMs: 3 });
    metrics.request({ method: 'GET', route: undefined, status: 404, durationMs: 1 });

    const found = await text();
    expect(found).toContain(
      'vitrine_http_requests_total{method="GET",route="/api/items/:id",status="200"} 1',
    );
    expect(found).toContain(
      'vitrine_http_requests_total{method="GET",route="none",status="404"} 1',
    );
    expect(found).toContain(
      'vitrine_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/items/:id"} 1',
    );
    expect(found).toContain(
      'vitrine_http_request_duration_seconds_sum{method="GET",route="/api/items/:id"} 0.033',
    );
  });

  test('count calls of plugins by outcome, and hooks by name', async () => {
    const { metrics, text } = await open();
    const call = { pluginId: 'tags', durationMs: 20 };
    metrics.call({
      ...call,
      method: 'hook.dispatch',
      name: 'pipeline.scan.prepare',
      outcome: 'returned',
    });
    metrics.call({
      ...call,
      method: 'hook.dispatch',
      name: 'pipeline.scan.prepare',
      outcome: 'timed-out',
    });
    metrics.call({ ...call, method: 'event.dispatch', name: 'job.started', outcome: 'returned' });

    const found = await text();
    expect(found).toContain(
      'vitrine_plugin_calls_total{plugin="tags",method="hook.dispatch",outcome="timed-out"} 1',
    );
    expect(found).toContain(
      'vitrine_hook_duration_seconds_count{hook="pipeline.scan.prepare",plugin="tags"} 2',
    );
    expect(found).not.toContain('duration_seconds_count{plugin="tags",method="event.dispatch"}');
  });

  test('count writes of the database, and their waiting times', async () => {
    const { metrics, text } = await open();
    metrics.write({ waitedMs: 4, durationMs: 2, hasFailed: false, refusedWith: null });
    metrics.write({ waitedMs: 0, durationMs: 2, hasFailed: true, refusedWith: 'storage_full' });

    const found = await text();
    expect(found).toContain('vitrine_database_writes_total{outcome="failed"} 1');
    expect(found).toContain('vitrine_database_write_wait_seconds_sum 0.004');
    expect(found).toContain('vitrine_database_refused_writes_total{code="storage_full"} 1');
  });

  test('time jobs from their start to their end', async () => {
    const scene = await open();
    scene.emit('job.started', { jobId: 'a', type: 'scan' });
    scene.time = 3000;
    scene.emit('job.completed', { jobId: 'a', type: 'scan' });
    scene.emit('job.failed', { jobId: 'never started here', type: 'scan' });

    const found = await scene.text();
    expect(found).toContain('vitrine_job_duration_seconds_sum{type="scan",status="completed"} 3');
    expect(found).not.toContain('status="failed"');
  });

  test('count conversions that fail, and time the first segments of the others', async () => {
    const { metrics, text } = await open();
    metrics.transcode({ kind: 'failure' });
    metrics.transcode({ kind: 'first-segment', track: 'video', ms: 500 });

    const found = await text();
    expect(found).toContain('vitrine_cage_failures_total 1');
    expect(found).toContain('vitrine_transcode_first_segment_seconds_sum{track="video"} 0.5');
  });

  test('show the current values of gauges', async () => {
    const { text } = await open();

    const found = await text();
    for (const line of [
      'vitrine_build_info{version="1.2.3"} 1',
      'vitrine_plugin_state{plugin="scanner",state="running"} 1',
      'vitrine_plugin_cpu_seconds{plugin="scanner"} 2.5',
      'vitrine_plugin_dropped_events{plugin="scanner"} 4',
      'vitrine_plugin_refused_calls{plugin="scanner"} 6',
      'vitrine_plugin_failures{plugin="scanner",kind="threw"} 8',
      'vitrine_plugin_host_memory_bytes{plugins="shared"} 100',
      'vitrine_jobs{status="pending"} 3',
      'vitrine_database_up 1',
      'vitrine_database_ping_seconds 0.004',
      'vitrine_database_size_bytes 5000',
      'vitrine_live_clients 7',
      'vitrine_playback_sessions{mode="remux"} 2',
      'vitrine_transcode_rate{track="video"} 1.5',
      'vitrine_transcode_cache_bytes 700',
      'vitrine_scheduler_last_run_timestamp_seconds{task="backup"} 60',
      'vitrine_scheduler_last_success_timestamp_seconds{task="backup"} 30',
      'vitrine_problems{code="backup_failed",severity="error"} 1',
      'vitrine_disk_free_bytes{folder="data"} 4096',
      'vitrine_cluster_members{state="missing"} 1',
      'vitrine_leader 1',
      'vitrine_leader_beat_age_seconds 1.5',
    ])
      expect(found).toContain(line);
  });

  test('report that the database is down, and do not fail', async () => {
    const broken = () => Promise.reject(new Error('gone'));
    const { text } = await open({ ping: broken, jobs: broken, databaseBytes: broken });

    expect(await text()).toContain('vitrine_database_up 0');
  });
});
