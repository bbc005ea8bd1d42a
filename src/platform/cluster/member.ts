/** What a server says of itself. */
export interface MemberFacts {
  /** Host and port at which it listens. */
  readonly address: string;
  readonly roles: readonly string[];
  /** The version of each installed plugin, by its id. */
  readonly plugins: Readonly<Record<string, string>>;
  /** A fingerprint of each setting that all servers must have in common, by its name. */
  readonly settings: Readonly<Record<string, string>>;
  /** The address of its internal port; empty = it has none. */
  readonly internal: string;
  /** It begins processes that convert for other servers. */
  readonly converts: boolean;
  /** Plugins that another server has, and that do not run here; `null` = none. */
  readonly lacks: LackedPlugins | null;
}

/** What a server lacks. */
export interface LackedPlugins {
  readonly pluginIds: readonly string[];
  /** One of them hears events, which it would miss if this server led. */
  readonly hears: boolean;
}

/** What differs from the leader, or what it lacks. */
export interface Difference {
  readonly what: 'version' | 'settings' | 'plugins' | 'clock' | 'lacking';
  /** Which: the version, the names of settings, the ids of plugins, or seconds. */
  readonly detail: string;
}

/** One server, as the others see it. */
export interface Member {
  readonly id: string;
  readonly address: string;
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAtMs: number;
  /** Its last sign, by the clock of the database. */
  readonly lastBeatMs: number;
  readonly state: 'present' | 'missing';
  readonly isLeader: boolean;
  /** Against the leader; a server that is missing has none. */
  readonly differences: readonly Difference[];
}
