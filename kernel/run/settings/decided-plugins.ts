/** The installed plugins, for what stores an admin's decisions about them. */
import type { AlongsideChange, PluginSettings } from './plugin-store.ts';

export interface DecidedPlugins<P> {
  readonly find: (id: string) => P | undefined;
  /** Throws `not_found`. */
  readonly get: (id: string) => P;
  /** Stores a decision, which is in effect from then on. Decisions are stored one at a time. */
  readonly decide: (
    plugin: P,
    decision: Partial<PluginSettings>,
    alongside?: AlongsideChange,
  ) => Promise<void>;
}
