import type { EventBus } from '../../../kernel/call/events/index.ts';
import type { Plugin, PluginUsage } from '../../../kernel/run/index.ts';

/** The values that are read for each scrape. */
export interface MetricSources {
  readonly version: string;
  readonly plugins: () => readonly Pick<Plugin, 'id' | 'state' | 'restartAttempts'>[];
  readonly usageOf: (pluginId: string) => PluginUsage;
  /** Jobs by status. */
  readonly jobs: () => Promise<Readonly<Record<string, number>>>;
  readonly ping: () => Promise<{ readonly latencyMs: number }>;
  /** Of the database and its files; `null` where it is on another server. */
  readonly databaseBytes: () => Promise<number | null>;
  /** Clients with an event connection. */
  readonly liveClients: () => number;
  /** Playback sessions by mode. */
  readonly playbackSessions: () => Readonly<Record<string, number>>;
  /** Conversions that run, and what they keep. */
  readonly transcode: {
    readonly rates: () => readonly { readonly track: string; readonly rate: number }[];
    readonly keptBytes: () => Promise<number>;
  };
  readonly scheduler: () => readonly {
    readonly name: string;
    readonly lastRun: string | null;
    readonly lastSuccess: string | null;
  }[];
  readonly problems: () => readonly { readonly code: string; readonly severity: string }[];
  /** Free bytes of the disks by their folder; a disk that cannot be asked is left out. */
  readonly freeBytes: () => Promise<Readonly<Record<string, number>>>;
  /** The processes of plugins. */
  readonly hosts: () => readonly {
    readonly rssBytes: number;
    readonly pluginIds: readonly string[];
  }[];
  /** `null` = it is the only server. */
  readonly cluster: () => Promise<{
    /** Servers by their state. */
    readonly members: Readonly<Record<string, number>>;
    readonly leaderSilenceMs: number;
  } | null>;
  readonly isLeader: () => boolean;
  readonly events: Pick<EventBus, 'listen'>;
  /** Milliseconds. */
  readonly now: () => number;
}
