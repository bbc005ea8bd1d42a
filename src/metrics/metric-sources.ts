import type { EventBus, Plugin, PluginUsage } from '../../kernel/index.ts';

/** What is asked when somebody reads the metrics. */
export interface MetricSources {
  readonly version: string;
  readonly plugins: () => readonly Pick<Plugin, 'id' | 'state' | 'restartAttempts'>[];
  readonly usageOf: (pluginId: string) => PluginUsage;
  /** Jobs by status. */
  readonly jobs: () => Promise<Readonly<Record<string, number>>>;
  readonly ping: () => Promise<{ readonly latencyMs: number }>;
  /** Of the database and what it keeps beside itself; `null` where only its server knows. */
  readonly databaseBytes: () => Promise<number | null>;
  /** Clients that follow the events. */
  readonly liveClients: () => number;
  readonly scheduler: () => readonly { readonly name: string; readonly lastRun: string | null }[];
  /** The processes that plugins run in. */
  readonly hosts: () => readonly {
    readonly rssBytes: number;
    readonly pluginIds: readonly string[];
  }[];
  readonly events: Pick<EventBus, 'listen'>;
  /** Milliseconds. */
  readonly now: () => number;
}
