/** The series. Names and units follow the conventions of Prometheus: seconds, bytes, `_total`. */
import type * as Prometheus from '@prometheus-io/client';
import { followJobs } from './job-times.ts';
import type { MetricSources } from './metric-sources.ts';
import { createRequestSeries } from './request-series.ts';
import type { SeenCall, SeenTranscode, SeenWrite } from './seen.ts';

type Client = typeof Prometheus;

/** Counts events, and reads gauges on each scrape. */
export type Recorder = ReturnType<typeof createRecorder>;

/** Seconds. */
const requestBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const callBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const writeBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const jobBuckets = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400];

/** Creates the series of one server. */
export function createRecorder(client: Client, sources: MetricSources) {
  const registry = new client.Registry();
  const registers = [registry];
  client.collectDefaultMetrics({ register: registry });

  const requests = new client.Counter({
    name: 'vitrine_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const requestTimes = new client.Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its reply',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  });
  const calls = new client.Counter({
    name: 'vitrine_plugin_calls_total',
    help: 'Calls of plugins by outcome',
    labelNames: ['plugin', 'method', 'outcome'],
    registers,
  });
  const callTimes = new client.Histogram({
    name: 'vitrine_plugin_call_duration_seconds',
    help: 'Duration of calls of plugins, without deliveries of events',
    labelNames: ['plugin', 'method'],
    buckets: callBuckets,
    registers,
  });
  const hookTimes = new client.Histogram({
    name: 'vitrine_hook_duration_seconds',
    help: 'Duration of one plugin in one hook',
    labelNames: ['hook', 'plugin'],
    buckets: callBuckets,
    registers,
  });
  const writes = new client.Counter({
    name: 'vitrine_database_writes_total',
    help: 'Transactions of the writer',
    labelNames: ['outcome'],
    registers,
  });
  const refusedWrites = new client.Counter({
    name: 'vitrine_database_refused_writes_total',
    help: 'Writes that the database or its disk refused, by the code of the failure',
    labelNames: ['code'],
    registers,
  });
  const writeTimes = new client.Histogram({
    name: 'vitrine_database_write_duration_seconds',
    help: 'Duration of transactions of the writer, without their wait',
    buckets: writeBuckets,
    registers,
  });
  const writeWaits = new client.Histogram({
    name: 'vitrine_database_write_wait_seconds',
    help: 'How long transactions waited for those before them',
    buckets: writeBuckets,
    registers,
  });
  const jobTimes = new client.Histogram({
    name: 'vitrine_job_duration_seconds',
    help: 'Duration of jobs from start to end',
    labelNames: ['type', 'status'],
    buckets: jobBuckets,
    registers,
  });

  const firstSegments = new client.Histogram({
    name: 'vitrine_transcode_first_segment_seconds',
    help: 'How long a conversion took to its first segment',
    labelNames: ['track'],
    buckets: callBuckets,
    registers,
  });
  const cageFailures = new client.Counter({
    name: 'vitrine_cage_failures_total',
    help: 'Conversions that failed in the cage',
    registers,
  });

  const requestSeries = createRequestSeries({
    count: (labels, more) => requests.inc(labels, more),
    times: (method, route) => requestTimes.labels(method, route),
  });
  const callsOf = series((plugin, method, outcome) => calls.labels(plugin, method, outcome));
  const callTimesOf = series((plugin, method) => callTimes.labels(plugin, method));
  const hookTimesOf = series((hook, plugin) => hookTimes.labels(hook, plugin));
  const writesOf = series((outcome) => writes.labels(outcome));

  const refreshGauges = gaugesOf(client, registry, sources);
  const unfollow = followJobs(sources, ({ type, status, durationMs }) =>
    jobTimes.observe({ type, status }, durationMs / 1000),
  );

  return {
    registry,
    /** Updates the gauges and the counters that are kept outside the library. */
    refresh: (): Promise<void> => {
      requestSeries.flush();
      return refreshGauges();
    },
    request: requestSeries.seen,
    call: ({ pluginId, method, name, outcome, durationMs }: SeenCall): void => {
      callsOf(pluginId, method, outcome).inc();
      if (method === 'event.dispatch') return;
      callTimesOf(pluginId, method).observe(durationMs / 1000);
      if (method === 'hook.dispatch' && name !== undefined)
        hookTimesOf(name, pluginId).observe(durationMs / 1000);
    },
    write: ({ waitedMs, durationMs, hasFailed, refusedWith }: SeenWrite): void => {
      if (refusedWith !== null) refusedWrites.inc({ code: refusedWith });
      writesOf(hasFailed ? 'failed' : 'committed').inc();
      writeTimes.observe(durationMs / 1000);
      writeWaits.observe(waitedMs / 1000);
    },
    transcode: (seen: SeenTranscode): void => {
      if (seen.kind === 'failure') cageFailures.inc();
      else firstSegments.observe({ track: seen.track }, seen.ms / 1000);
    },
    close: (): void => {
      unfollow();
      registry.clear();
    },
  };
}

/** Values that are read and not counted. A removed plugin loses its series. */
function gaugesOf(
  client: Client,
  registry: Prometheus.Registry,
  sources: MetricSources,
): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new client.Gauge({ name: `vitrine_${name}`, help, labelNames, registers: [registry] });
  const build = gauge('build_info', 'The running version', 'version');
  const states = gauge('plugin_state', '1 for the current state of the plugin', 'plugin', 'state');
  const cpu = gauge('plugin_cpu_seconds', 'CPU time since the server started', 'plugin');
  const memory = gauge('plugin_memory_bytes', 'On the heap and in buffers', 'plugin');
  const restarts = gauge('plugin_restart_attempts', 'Restarts after crashes', 'plugin');
  const dropped = gauge(
    'plugin_dropped_events',
    'Events for which its queue had no room',
    'plugin',
  );
  const hostCalls = gauge('plugin_host_calls', 'Calls of host services', 'plugin');
  const refused = gauge('plugin_refused_calls', 'Refused calls of host services', 'plugin');
  const failures = gauge('plugin_failures', 'Failures of a plugin by kind', 'plugin', 'kind');
  const hosts = gauge('plugin_host_memory_bytes', 'Resident memory of a plugin host', 'plugins');
  const jobs = gauge('jobs', 'Jobs by status', 'status');
  const ping = gauge('database_ping_seconds', 'Duration of one read of the database');
  const reachable = gauge('database_up', '1 when the database answers');
  const size = gauge('database_size_bytes', 'The database and its log on the disk');
  const clients = gauge('live_clients', 'Clients with an event connection');
  const playing = gauge('playback_sessions', 'Sessions of playing', 'mode');
  const rates = gauge('transcode_rate', 'Film a second of the slowest conversion', 'track');
  const kept = gauge('transcode_cache_bytes', 'Converted media on the disk');
  const free = gauge('disk_free_bytes', 'Free space of the disk with this folder', 'folder');
  const problems = gauge('problems', 'Problems of the server', 'code', 'severity');
  const lastSuccesses = gauge(
    'scheduler_last_success_timestamp_seconds',
    'The last run of a task that succeeded',
    'task',
  );
  const lastRuns = gauge('scheduler_last_run_timestamp_seconds', 'The last run of a task', 'task');
  const members = gauge('cluster_members', 'Servers of the database by state', 'state');
  const leader = gauge('leader', '1 when this server is the leader');
  const silence = gauge('leader_beat_age_seconds', 'Since the last sign of the leader');

  build.set({ version: sources.version }, 1);
  return async () => {
    const [counts, latency, bytes, freeBytes, keptBytes, cluster] = await Promise.all([
      sources.jobs().catch(() => ({})),
      sources.ping().catch(() => null),
      sources.databaseBytes().catch(() => null),
      sources.freeBytes().catch(() => ({})),
      sources.transcode.keptBytes().catch(() => null),
      sources.cluster().catch(() => null),
    ]);
    for (const one of [
      ...[states, cpu, memory, restarts, dropped],
      ...[hostCalls, refused, failures, hosts, free, problems, rates],
    ])
      one.reset();
    for (const { id: plugin, state, restartAttempts } of sources.plugins()) {
      const usage = sources.usageOf(plugin);
      states.set({ plugin, state }, 1);
      restarts.set({ plugin }, restartAttempts);
      cpu.set({ plugin }, usage.cpuMs / 1000);
      memory.set({ plugin }, usage.memoryBytes);
      dropped.set({ plugin }, usage.droppedEvents);
      hostCalls.set({ plugin }, usage.hostCalls);
      refused.set({ plugin }, usage.refusedCalls);
      for (const [kind, count] of Object.entries(usage.failures.kinds))
        failures.set({ plugin, kind }, count);
    }
    for (const { pluginIds, rssBytes } of sources.hosts())
      hosts.inc({ plugins: pluginIds.length > 1 ? 'shared' : (pluginIds[0] ?? 'none') }, rssBytes);
    for (const [status, count] of Object.entries(counts)) jobs.set({ status }, count);
    reachable.set(latency === null ? 0 : 1);
    if (latency !== null) ping.set(latency.latencyMs / 1000);
    if (bytes !== null) size.set(bytes);
    clients.set(sources.liveClients());
    for (const [mode, count] of Object.entries(sources.playbackSessions()))
      playing.set({ mode }, count);
    for (const { track, rate } of sources.transcode.rates().toSorted((a, b) => b.rate - a.rate))
      rates.set({ track }, rate);
    if (keptBytes !== null) kept.set(keptBytes);
    for (const [folder, value] of Object.entries(freeBytes)) free.set({ folder }, value);
    leader.set(sources.isLeader() ? 1 : 0);
    for (const [state, count] of Object.entries(cluster?.members ?? {}))
      members.set({ state }, count);
    if (cluster) silence.set(cluster.leaderSilenceMs / 1000);
    for (const { code, severity } of sources.problems()) problems.inc({ code, severity });
    for (const { name: task, lastRun, lastSuccess } of sources.scheduler()) {
      if (lastRun !== null) lastRuns.set({ task }, Date.parse(lastRun) / 1000);
      if (lastSuccess !== null) lastSuccesses.set({ task }, Date.parse(lastSuccess) / 1000);
    }
  };
}

/**
 * Caches series by their labels, because the library sorts and hashes the labels at each lookup.
 */
function series<One>(of: (...labels: string[]) => One): (...labels: string[]) => One {
  const known = new Map<string, One>();
  return (...labels) => {
    const key = labels.join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = of(...labels);
    known.set(key, made);
    return made;
  };
}
