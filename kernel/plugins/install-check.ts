/** What must hold before a package is put in place, and what is granted to it then. */
import type { Manifest } from '../../plugin-api/index.ts';
import { dependencyFaults } from './dependencies.ts';
import { parseGrant, type GivenGrant, type GrantParts } from './grant.ts';
import { runsOn } from './packages/index.ts';
import { excess } from './permissions.ts';
import { asksForNothing, powersAsked } from './powers-asked.ts';
import { pluginSlug } from './plugin-slug.ts';
import type { PluginSettings } from './plugin-store.ts';
import type { PluginRegistry } from './registry.ts';

/** Why the server, or what it has, does not go with a plugin; `null` = it does. */
export function misfitOf(
  manifest: Manifest,
  {
    registry,
    serverVersion,
  }: { readonly registry: PluginRegistry; readonly serverVersion: string },
): string | null {
  const { id, minVersion } = manifest;
  if (!runsOn(minVersion, serverVersion))
    return `It needs a server ${minVersion}; this one is ${serverVersion}.`;
  const others = registry.all().filter((other) => other.id !== id);
  const clash = others.find((other) => pluginSlug(other.id) === pluginSlug(id));
  if (clash) return `Its events would be named like those of ${clash.id}, which is installed.`;
  const now = registry.find(id);
  if (now && now.package.type !== 'marketplace')
    return `There is a ${now.package.type} plugin ${id}, which no package replaces.`;
  return needsFault(manifest, registry);
}

/** Why its own needs, or those of plugins that need it, would not be met. */
function needsFault(manifest: Manifest, registry: PluginRegistry): string | null {
  const others = registry.all().filter((other) => other.id !== manifest.id);
  const manifests = [...others.map((other) => other.package.manifest), manifest];
  const faults = dependencyFaults(new Map(manifests.map((one) => [one.id, one])));
  const own = faults.get(manifest.id);
  if (own !== undefined) return own;
  const broken = others.find((other) => faults.has(other.id) && registry.unmetNeed(other) === null);
  return broken ? `${broken.id} could not run with it. ${faults.get(broken.id) ?? ''}` : null;
}

/** What the plugin asks for beyond what somebody has decided on, one phrase each. */
export function missingConsent(manifest: Manifest, { grant }: PluginSettings): readonly string[] {
  return grant === null ? [] : excess(powersAsked(manifest), grant.asked);
}

/** The grant that a package begins with. Rejects with `invalid_argument` for what it does not ask for. */
export async function grantFor(
  manifest: Manifest,
  { grant }: PluginSettings,
  { granted, reach, ...parts }: GivenGrant & Omit<GrantParts, 'before'>,
): Promise<PluginSettings['grant']> {
  if (granted !== undefined)
    return parseGrant(
      { id: manifest.id, permissions: powersAsked(manifest) },
      { granted, reach },
      { ...parts, before: grant },
    );
  // Who installs what asks for nothing has decided all there is to decide.
  if (grant === null && asksForNothing(manifest)) return { asked: {}, granted: {}, reach: 'all' };
  return grant;
}
