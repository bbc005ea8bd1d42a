/**
 * The metrics of the server, for Prometheus. The library is loaded when the server already listens;
 * earlier requests are not counted.
 */
import type { Log } from '../../../kernel/index.ts';
import type { MetricSources } from './metric-sources.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { SeenCall, SeenRequest, SeenTranscode, SeenWrite } from './seen.ts';

/** The text of all series, in the format of Prometheus. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of one server. */
export interface Metrics {
  /** Counts a request that was answered. */
  readonly request: (seen: SeenRequest) => void;
  /** Counts a call of a plugin, by any caller. */
  readonly call: (seen: SeenCall) => void;
  /** Counts a transaction of the writer. */
  readonly write: (seen: SeenWrite) => void;
  /** Counts something that happened to a conversion. */
  readonly transcode: (seen: SeenTranscode) => void;
  /** Starts counting. */
  readonly open: (sources: MetricSources) => Promise<void>;
  /** Reads all series; `null` before `open`. */
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
    transcode: (seen) => recorder?.transcode(seen),
    open: async (sources) => {
      try {
        const client = await import('@prometheus-io/client');
        if (!isClosed) recorder = createRecorder(client, sources);
      } catch (error) {
        log.error(
          { err: error },
          'There are no metrics for /metrics: its library cannot be loaded.',
        );
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
