/** What can be done with marketplace plugins, and how it ends. */
import type { Permissions } from '../../plugin-api/index.ts';
import type { PackageRecord } from './package-store.ts';
import type { OpenedArchive } from './packages/index.ts';
import type { Alongside } from './plugin-store.ts';
import type { Plugin } from './plugin.ts';

/** Why a package was not put in place. */
export type InstallFault =
  'INVALID_MANIFEST' | 'INCOMPATIBLE_VERSION' | 'START_FAILED' | 'NOT_FOUND' | 'REVOKED';

/** A package that is installed, or may be. */
export type JudgedPackage = Pick<
  PackageRecord,
  'pluginId' | 'version' | 'sha256' | 'publisherKey' | 'source' | 'revoked'
>;

/** Why a package must not run, as a sentence; `null` = it may. `revoked` is what was said of it before. */
export type Verdict = (judged: JudgedPackage) => string | null;

/** How an installation or an upgrade ended. */
export type InstallOutcome =
  | { readonly kind: 'done'; readonly plugin: Plugin }
  /** It asks for more than was granted: the old version runs on until an admin grants it. */
  | {
      readonly kind: 'waiting';
      readonly plugin: Plugin;
      readonly asked: Permissions;
      /** What was not asked for before, one phrase each. */
      readonly more: readonly string[];
    }
  | { readonly kind: 'refused'; readonly code: InstallFault; readonly message: string };

/** How a package is put in place. */
export interface PlaceOptions {
  /** The id of the source that it came from. */
  readonly source: string | null;
  /** What the admin grants of what it asks for; nobody was asked when absent. */
  readonly granted?: unknown;
  /** What it may touch with that; as before when absent. */
  readonly reach?: unknown;
  readonly alongside?: Alongside | undefined;
}

/** What the server did with a plugin by itself. */
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
  /** What these permissions have that the plugin's were not asked for, one phrase each. */
  readonly asksMore: (id: string, permissions: Permissions) => readonly string[];
  /** Puts a package in place that was checked: a first one, or instead of the one that is there. */
  readonly place: (archive: OpenedArchive, options: PlaceOptions) => Promise<InstallOutcome>;
  /** Goes back to the version before, with its settings and data as they were. */
  readonly rollBack: (id: string, alongside?: Alongside) => Promise<InstallOutcome>;
  /** Removes a plugin with everything that belongs to it. Throws `not_found` or `conflict`. */
  readonly remove: (id: string, alongside?: Alongside) => Promise<void>;
  /**
   * Who says from now on what must not run: asked before a package is put in place, gone back to or
   * started. What was said of each package before holds until then.
   */
  readonly setRevocationRule: (verdict: Verdict) => void;
  /** Asks again of all that is installed: stops what must not run, and lets run what may again. */
  readonly judge: () => Promise<void>;
}

/** A refusal. */
export const refused = (code: InstallFault, message: string): InstallOutcome => ({
  kind: 'refused',
  code,
  message,
});
