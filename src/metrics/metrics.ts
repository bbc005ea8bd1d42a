/**
 * What the server counts of itself, for Prometheus. Counting costs each request and each call a
 * microsecond or two; the library comes when the server already listens, and what happened before is
 * not counted.
 */
import type { Log } from '../../kernel/index.ts';
import type { MetricSources } from './metric-sources.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { SeenCall, SeenRequest, SeenWrite } from './seen.ts';

/** The text of all series, in the format of Prometheus. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of one server. */
export interface Metrics {
  /** A request was answered. */
  readonly request: (seen: SeenRequest) => void;
  /** A plugin was called, whoever called it. */
  readonly call: (seen: SeenCall) => void;
  /** A transaction of the writer ended. */
  readonly write: (seen: SeenWrite) => void;
  /** Begins to count. */
  readonly open: (sources: MetricSources) => Promise<void>;
  /** Reads all series; `null` before the server counts. */
  readonly read: () => Promise<Exposition | null>;
  readonly close: () => void;
}

/** Creates the metrics; nothing is counted before `open`. */
export function createMetrics({ log }: { readonly log: Log }): Metrics {
  let recorder: Recorder | null = null;
  let isClosed = false;

  return {
    request: (seen) => recorder?.request(seen),
    call: (seen) => recorder?.call(seen),
    write: (seen) => recorder?.write(seen),
    open: async (sources) => {
      try {
        const client = await import('@prometheus-io/client');
        if (!isClosed) recorder = createRecorder(client, sources);
      } catch (error) {
        log.error({ err: error }, 'Nothing is counted for /metrics: its library does not load.');
      }
    },
    read: async () => {
      if (recorder === null) return null;
      const { registry, refresh } = recorder;
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => {
      isClosed = true;
      recorder?.close();
      recorder = null;
    },
  };
}
