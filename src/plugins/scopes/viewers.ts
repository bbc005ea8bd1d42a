/**
 * Viewers, in the forms for the kernel and for plugins. A plugin gets a role, a language and a pseudonym of
 * the profile. The pseudonym is derived with the server's key and differs for each plugin, so that two
 * plugins cannot tell that they serve the same person.
 */
import { createHmac } from 'node:crypto';
import type { DispatchViewer } from '../../../kernel/index.ts';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';

/** Conversions between a viewer and its form in the kernel. */
export type PluginViewers = ReturnType<typeof createPluginViewers>;

const mostRemembered = 2000;
const pseudonymBytes = 16;

/** Creates the conversions with a key of 32 bytes. The same key always gives the same pseudonyms. */
export function createPluginViewers(key: Uint8Array) {
  const known = new WeakMap<DispatchViewer, Viewer>();
  const pseudonyms = new Map<string, string>();

  /** The pseudonym of a profile in one plugin. */
  function profileIn(pluginId: string, profileId: string): string {
    const named = JSON.stringify([pluginId, profileId]);
    const pseudonym = pseudonyms.get(named) ?? pseudonymFor(key, named);
    if (pseudonyms.size >= mostRemembered) pseudonyms.clear();
    pseudonyms.set(named, pseudonym);
    return pseudonym;
  }

  return {
    toPlugins: (viewer: Viewer): DispatchViewer => {
      const { profileId, locale = null } = viewer;
      const role = isFullAdmin(viewer) || viewer.role !== 'admin' ? viewer.role : 'user';
      const made: DispatchViewer = {
        identity: viewer,
        shownTo: (pluginId) => ({ role, profile: profileIn(pluginId, profileId), locale }),
      };
      known.set(made, viewer);
      return made;
    },
    /** The viewer behind the kernel's form; `null` for one that was not made here. */
    behind: (viewer: DispatchViewer): Viewer | null => known.get(viewer) ?? null,
    profileIn,
  };
}

const pseudonymFor = (key: Uint8Array, named: string): string =>
  createHmac('sha256', key)
    .update(named)
    .digest()
    .subarray(0, pseudonymBytes)
    .toString('base64url');
