/** What a server says of itself. */
export interface MemberFacts {
  /** Host and port at which it listens. */
  readonly address: string;
  readonly roles: readonly string[];
  /** The version of each installed plugin, by its id. */
  readonly plugins: Readonly<Record<string, string>>;
  /** A fingerprint of each setting that all servers must have in common, by its name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What differs from the leader. */
export interface Difference {
  readonly what: 'version' | 'settings' | 'plugins' | 'clock';
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
