/** What plugins need of each other, according to their manifests. */
import semver from 'semver';
import type { Manifest } from '../../../plugin-api/index.ts';

/** Why a plugin's dependencies cannot be met, by the id of each such plugin. */
export function dependencyFaults(
  manifests: ReadonlyMap<string, Manifest>,
): ReadonlyMap<string, string> {
  // Each plugin is judged once: manifests are foreign, and a lattice of them must not cost 2^n.
  const verdicts = new Map<string, string | null>();

  function verdict(manifest: Manifest, trail: readonly string[]): string | null {
    const known = verdicts.get(manifest.id);
    if (known !== undefined) return known;
    const start = trail.indexOf(manifest.id);
    if (start !== -1) {
      return `Plugins that need each other cannot start: ${[...trail.slice(start), manifest.id].join(' → ')}.`;
    }
    const found = firstFault(manifest, [...trail, manifest.id]);
    verdicts.set(manifest.id, found);
    return found;
  }

  function firstFault(manifest: Manifest, trail: readonly string[]): string | null {
    for (const [id, range] of Object.entries(manifest.dependencies ?? {})) {
      const other = manifests.get(id);
      if (!other) return `It needs the plugin ${id} ${range}, which is not installed.`;
      if (!semver.satisfies(other.version, range, { includePrerelease: true })) {
        return `It needs the plugin ${id} ${range}; installed is ${other.version}.`;
      }
      const inner = verdict(other, trail);
      if (inner !== null) return `It needs the plugin ${id}, which cannot start. ${inner}`;
    }
    return null;
  }

  const faults = new Map<string, string>();
  for (const manifest of manifests.values()) {
    const fault = verdict(manifest, []);
    if (fault !== null) faults.set(manifest.id, fault);
  }
  return faults;
}
