/**
 * The people for whom plugins work, as the kernel carries them and as plugins know them. A plugin is
 * told a role, a language and a word that stands for the profile: made under the server's key, another
 * one for each plugin, so that two plugins cannot tell that they serve the same person.
 */
import { createHmac } from 'node:crypto';
import type { DispatchViewer } from '../../kernel/index.ts';
import { isFullAdmin, type Viewer } from '../accounts/index.ts';

/** Both ways between a viewer and what stands for them in the kernel. */
export interface PluginViewers {
  readonly toPlugins: (viewer: Viewer) => DispatchViewer;
  /** Who it is; `null` for one that was not made here. */
  readonly behind: (viewer: DispatchViewer) => Viewer | null;
  /** The word that stands for a profile in one plugin. */
  readonly profileIn: (pluginId: string, profileId: string) => string;
}

const mostRemembered = 2000;
const wordBytes = 16;

/** Creates it under a key of 32 bytes; with the same key the words are the same for ever. */
export function createPluginViewers(key: Uint8Array): PluginViewers {
  const known = new WeakMap<DispatchViewer, Viewer>();
  const words = new Map<string, string>();

  function profileIn(pluginId: string, profileId: string): string {
    const named = JSON.stringify([pluginId, profileId]);
    const word = words.get(named) ?? wordFor(key, named);
    if (words.size >= mostRemembered) words.clear();
    words.set(named, word);
    return word;
  }

  return {
    toPlugins: (viewer) => {
      const { profileId, locale = null } = viewer;
      const role = isFullAdmin(viewer) || viewer.role !== 'admin' ? viewer.role : 'user';
      const made: DispatchViewer = {
        identity: viewer,
        shownTo: (pluginId) => ({ role, profile: profileIn(pluginId, profileId), locale }),
      };
      known.set(made, viewer);
      return made;
    },
    behind: (viewer) => known.get(viewer) ?? null,
    profileIn,
  };
}

const wordFor = (key: Uint8Array, named: string): string =>
  createHmac('sha256', key).update(named).digest().subarray(0, wordBytes).toString('base64url');
