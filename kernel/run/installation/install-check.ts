/** The conditions for placing a package, and the grant that it starts with. */
import type { Manifest } from '../../../plugin-api/index.ts';
import { dependencyFaults } from '../manifest/dependencies.ts';
import { parseGrant, type GivenGrant, type GrantParts } from '../permissions/grant.ts';
import { runsOn } from '../packages/index.ts';
import { excess } from '../powers/permissions.ts';
import { asksForNothing, powersAsked } from '../powers/powers-asked.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import type { PluginSettings } from '../settings/plugin-store.ts';
import type { InstalledPlugins } from '../registry/installed-plugins.ts';

/** Why a plugin does not fit this server or its other plugins; `null` = it fits. */
export function incompatibilityOf(
  manifest: Manifest,
  {
    installed,
    serverVersion,
  }: { readonly installed: InstalledPlugins; readonly serverVersion: string },
): string | null {
  const { id, minVersion } = manifest;
  if (!runsOn(minVersion, serverVersion))
    return `It needs a server ${minVersion}; this one is ${serverVersion}.`;
  const others = installed.all().filter((other) => other.id !== id);
  const clash = others.find((other) => pluginSlug(other.id) === pluginSlug(id));
  if (clash) return `Its events would be named like those of ${clash.id}, which is installed.`;
  const now = installed.find(id);
  if (now && now.package.type !== 'marketplace')
    return `There is a ${now.package.type} plugin ${id}, which no package replaces.`;
  return needsFault(manifest, installed);
}

/** Why its own needs, or those of plugins that need it, would not be met. */
function needsFault(manifest: Manifest, installed: InstalledPlugins): string | null {
  const others = installed.all().filter((other) => other.id !== manifest.id);
  const manifests = [...others.map((other) => other.package.manifest), manifest];
  const faults = dependencyFaults(new Map(manifests.map((one) => [one.id, one])));
  const own = faults.get(manifest.id);
  if (own !== undefined) return own;
  const broken = others.find(
    (other) => faults.has(other.id) && installed.unmetNeed(other) === null,
  );
  return broken ? `${broken.id} could not run with it. ${faults.get(broken.id) ?? ''}` : null;
}

/** What the plugin asks for beyond earlier decisions, one phrase each. */
export function missingConsent(manifest: Manifest, { grant }: PluginSettings): readonly string[] {
  return grant === null ? [] : excess(powersAsked(manifest), grant.asked);
}

/** The grant that a package starts with. Rejects with `invalid_argument` for more than it asks for. */
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
  // A plugin that asks for nothing needs no further decision than its installation.
  if (grant === null && asksForNothing(manifest)) return { asked: {}, granted: {}, reach: 'all' };
  return grant;
}
