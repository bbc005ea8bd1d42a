import type { ServedKey } from '../../../plugin-api/index.ts';
import type { AlongsideChange } from '../settings/plugin-store.ts';
import type { ExpectedPlugin, PluginRole } from './expected-plugins.ts';

/** A key, its provider, and its candidates. */
export interface ProvidedKey {
  readonly key: string;
  /** `null` = no plugin answers. */
  readonly pluginId: string | null;
  /** Whether an admin chose it, or it is a built-in's. */
  readonly isChosen: boolean;
  /** All plugins that were granted the key, with the provider. */
  readonly candidates: readonly string[];
}

/** Which plugin answers for what. Only running plugins are named, except by `expected`. */
export interface Providers {
  /** The plugin that answers for a key, such as `search` or `filesystem:file`. */
  readonly of: (key: string) => string | undefined;
  /**
   * The plugins to call, in order. For a key with one provider: the provider, then the built-in that
   * serves the key too, for what the provider was not granted. For a capability with parts, or one
   * that several plugins serve together: all that were granted any of it.
   */
  readonly allOf: (key: ServedKey) => readonly string[];
  /** The plugin that serves URIs of the scheme (without colon). */
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** The plugin that runs jobs of the type; with a scope, one that reaches all of it. */
  readonly jobRunner: (type: string, scope?: string | null) => string | undefined;
  /** Every job type that an enabled plugin serves, in alphabetical order. */
  readonly jobTypes: () => readonly string[];
  /** All plugins that should answer in this role, running or not; with a scope, those that reach it. */
  readonly expected: (role: PluginRole, scope?: string | null) => readonly ExpectedPlugin[];
  /** Each key that one plugin at a time answers for, in alphabetical order. */
  readonly list: () => readonly ProvidedKey[];
  /**
   * Makes a plugin the provider of a key that it was granted. Throws `not_found` for a key that no
   * plugin was granted, `invalid_argument` for a plugin that was not granted it.
   */
  readonly choose: (
    key: string,
    pluginId: string,
    alongside?: AlongsideChange,
  ) => Promise<ProvidedKey>;
}

/** Puts the providers together: what is found among the plugins, and what an admin chooses. */
export function createProviders(
  found: Omit<Providers, 'expected' | 'choose'>,
  { choose }: Pick<Providers, 'choose'>,
  expected: Providers['expected'],
): Providers {
  const { of, allOf, filesystemFor, jobRunner, jobTypes, list } = found;
  return { of, allOf, filesystemFor, jobRunner, jobTypes, list, expected, choose };
}
