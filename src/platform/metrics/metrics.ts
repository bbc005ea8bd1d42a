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
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics; nothing is counted before `open`. */
export function createMetrics({ log }: { readonly log: Log }) {
  let recorder: Recorder | null = null;
  let isClosed = false;

  return {
    /** Counts a request that was answered. */
    request: (seen: SeenRequest): void => {
      recorder?.request(seen);
    },
    /** Counts a call of a plugin, by any caller. */
    call: (seen: SeenCall): void => {
      recorder?.call(seen);
    },
    /** Counts a transaction of the writer. */
    write: (seen: SeenWrite): void => {
      recorder?.write(seen);
    },
    /** Counts something that happened to a conversion. */
    transcode: (seen: SeenTranscode): void => {
      recorder?.transcode(seen);
    },
    /** Starts counting. */
    open: async (sources: MetricSources): Promise<void> => {
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
    /** Reads all series; `null` before `open`. */
    read: async (): Promise<Exposition | null> => {
      if (recorder === null) return null;
      const { registry, refresh } = recorder;
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: (): void => {
      isClosed = true;
      recorder?.close();
      recorder = null;
    },
  };
}
