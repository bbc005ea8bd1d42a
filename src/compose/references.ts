import type { Kernel } from '../../kernel/index.ts';
import type { Filesystems } from '../files/filesystems/index.ts';
import type { Network } from '../platform/net/index.ts';
import type { PluginReach } from '../plugins/scopes/index.ts';
import { createClaims, createReferenceCheck } from '../files/references/index.ts';

/** The rules for files and addresses that plugins may name. */
export type References = ReturnType<typeof composeReferences>;

/** What the rules are built from. */
export interface ReferencesNeeds {
  readonly roots: () => readonly string[];
  readonly reach: Pick<PluginReach, 'mayName'>;
  readonly filesystems: Pick<Filesystems, 'within'>;
  readonly network: Pick<Network, 'mayFetch'>;
}

/** Builds the rules over the current grants, roots and links. */
export function composeReferences(
  { plugins }: Pick<Kernel, 'plugins'>,
  { roots, reach, filesystems, network }: ReferencesNeeds,
) {
  /** Whether a plugin may write metadata. */
  const mayWrite = (pluginId: string): boolean =>
    plugins.grants.powersOf(pluginId).metadata === 'write';
  const checkReference = createReferenceCheck({
    roots,
    mayWrite,
    mayName: (pluginId, uri) => reach.mayName(plugins.grants.reachOf(pluginId), uri),
    serves: (pluginId, scheme) => plugins.providers.filesystemFor(scheme) === pluginId,
    mayFetch: network.mayFetch,
  });

  /** When the locations of files cannot be read now, they are checked when they are used. */
  async function there(
    uris: readonly string[],
    below: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const places = await filesystems
      .within(below)
      .localPaths(uris)
      .catch(() => null);
    return new Set(uris.filter((uri) => places === null || places.get(uri)?.kind !== 'nowhere'));
  }

  const claims = createClaims({
    check: checkReference,
    roots,
    there,
    refuse: plugins.usage.refuseClaim,
  });
  return { checkReference, mayWrite, claims };
}
