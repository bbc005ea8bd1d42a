/** Operations on marketplace plugins, and their results. */
import type { Permissions } from '../../../plugin-api/index.ts';
import type { EarlierVersion, PackageRecord } from '../packages/package-store.ts';
import type { OpenedArchive } from '../packages/index.ts';
import type { Alongside } from '../settings/plugin-store.ts';
import type { Plugin } from '../plugin/plugin.ts';

/** Why a package was not placed. */
export type InstallFault =
  | 'INVALID_MANIFEST'
  | 'INCOMPATIBLE_VERSION'
  | 'START_FAILED'
  | 'NOT_FOUND'
  | 'REVOKED';

/** A package that is installed or about to be. */
export type JudgedPackage = Pick<
  PackageRecord,
  'pluginId' | 'version' | 'sha256' | 'publisherKey' | 'source' | 'revoked'
>;

/** Why a package must not run, as a sentence; `null` = it may. `revoked` is the earlier verdict. */
export type Verdict = (judged: JudgedPackage) => string | null;

/** How an installation or an upgrade ended. */
export type InstallOutcome =
  | { readonly kind: 'done'; readonly plugin: Plugin }
  /** It asks for more than was granted: the old version keeps running until an admin grants it. */
  | {
      readonly kind: 'waiting';
      readonly plugin: Plugin;
      readonly asked: Permissions;
      /** What is new in what it asks for, one phrase each. */
      readonly more: readonly string[];
    }
  | { readonly kind: 'refused'; readonly code: InstallFault; readonly message: string };

/** What this server must not do, since it lacks packages that other servers have. */
export interface Lacking {
  /** The libraries in which they were granted hooks. */
  readonly libraries: 'all' | readonly string[];
  /** One of them hears events. */
  readonly hears: boolean;
  readonly pluginIds: readonly string[];
}

/** How a package is placed. */
export interface PlaceOptions {
  /** The id of its marketplace source. */
  readonly source: string | null;
  /** What the admin grants of what it asks for; absent when no admin was asked. */
  readonly granted?: unknown;
  /** What it may touch with that; unchanged when absent. */
  readonly reach?: unknown;
  readonly alongside?: Alongside | undefined;
}

/** An earlier version of a plugin, as of now. */
export interface JudgedEarlier extends EarlierVersion {
  /** Why it must not run; `null` = it may. */
  readonly revoked: string | null;
  /** Whether a rollback without a version returns to it. */
  readonly isNext: boolean;
}

/** How a version is rolled back. */
export interface RollbackOrder {
  /** Absent = the newest that is older than the current one and not revoked. */
  readonly version?: string | undefined;
  /** Fetches a package whose code is not kept here, or is damaged; rejects when it cannot. */
  readonly fetch?: ((wanted: EarlierVersion) => Promise<OpenedArchive>) | undefined;
  readonly alongside?: ((to: EarlierVersion) => Alongside) | undefined;
}

/** A package change that the server made by itself. */
export interface PackageChange {
  readonly pluginId: string;
  readonly what: 'rolled-back' | 'revoked' | 'allowed-again';
  readonly version: string;
  /** The version that runs instead. */
  readonly instead: string | null;
  readonly reason: string;
}

/** The marketplace plugins of a server. */
export interface Installs {
  readonly records: () => readonly PackageRecord[];
  readonly find: (id: string) => PackageRecord | undefined;
  /** What these permissions have beyond what the plugin asked for, one phrase each. */
  readonly asksMore: (id: string, permissions: Permissions) => readonly string[];
  /** Places a checked package: a first version, or a replacement. */
  readonly place: (archive: OpenedArchive, options: PlaceOptions) => Promise<InstallOutcome>;
  /** Returns to an earlier version, with its settings, and with its data while that is kept. */
  readonly rollBack: (id: string, order?: RollbackOrder) => Promise<InstallOutcome>;
  /** Whether this version is being replaced, or would be rolled back by the server if it failed. */
  readonly isProvisional: (id: string, version: string) => boolean;
  /** The versions to which `rollBack` may return, with what speaks against each. */
  readonly earlier: (id: string) => readonly JudgedEarlier[];
  /** What this server lacks of the packages of other servers; `null` = nothing. */
  readonly lacking: () => Lacking | null;
  /** Another server changed which packages there are; `null` = any. */
  readonly changedElsewhere: (ids: readonly string[] | null) => Promise<void>;
  /** Removes a plugin with all its data. Throws `not_found` or `conflict`. */
  readonly remove: (id: string, alongside?: Alongside) => Promise<void>;
  /**
   * Sets the rule that says which packages must not run. It is applied before a package is placed,
   * rolled back to or started. Until then, the stored verdict of each package holds.
   */
  readonly setRevocationRule: (verdict: Verdict) => void;
  /**
   * Applies the rule to all installed packages: stops those that must not run, and allows again those
   * that may.
   */
  readonly judge: () => Promise<void>;
}

/** A refusal. */
export const refused = (code: InstallFault, message: string): InstallOutcome => ({
  kind: 'refused',
  code,
  message,
});
