/** Finds plugins by what they provide. Only running ones count. */
import type { Capability } from '../../plugin-api/index.ts';
import { reachesAllOf } from '../reach.ts';
import type { InstalledPlugin } from './installed-plugin.ts';

/** Who provides what. */
export interface Providers {
  /** The plugin to ask; an installed one comes before a built-in, so that it replaces it. */
  readonly provider: (capability: Capability) => string | undefined;
  /** All of them, in that order, then by id. */
  readonly providers: (capability: Capability) => readonly string[];
  /** The plugin that serves URIs of the scheme (without colon). */
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** The plugin that was granted to run jobs of the type; in a scope, one that reaches all of it. */
  readonly jobRunner: (type: string, scope?: string | null) => string | undefined;
}

/** Creates the finder over all plugins. `refresh` makes it look again; it remembers meanwhile. */
export function createProviders(
  all: () => readonly InstalledPlugin[],
): Providers & { readonly refresh: () => void } {
  let running: readonly InstalledPlugin[] | undefined;

  function inOrder(): readonly InstalledPlugin[] {
    running ??= all()
      .filter((plugin) => plugin.isRunning)
      .sort(byPrecedence);
    return running;
  }

  function providers(capability: Capability): readonly string[] {
    return inOrder()
      .filter((plugin) => plugin.package.manifest.capabilities.includes(capability))
      .map((plugin) => plugin.id);
  }

  return {
    refresh: () => {
      running = undefined;
    },
    providers,
    provider: (capability) =>
      inOrder().find((plugin) => plugin.package.manifest.capabilities.includes(capability))?.id,
    filesystemFor: (scheme) => inOrder().find((plugin) => servesScheme(plugin, scheme))?.id,
    jobRunner: (type, scope = null) =>
      inOrder().find(
        ({ granted, reach }) =>
          granted.jobs?.includes(type) === true && (scope === null || reachesAllOf(reach, scope)),
      )?.id,
  };
}

function servesScheme({ package: { manifest } }: InstalledPlugin, scheme: string): boolean {
  return manifest.capabilityConfig?.filesystem?.schemes?.includes(scheme) ?? false;
}

function byPrecedence(one: InstalledPlugin, other: InstalledPlugin): number {
  const rank = (plugin: InstalledPlugin) => (plugin.package.type === 'builtin' ? 1 : 0);
  return rank(one) - rank(other) || (one.id < other.id ? -1 : 1);
}
