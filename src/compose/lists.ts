/** What people mark and put in lists, for them and for plugins. */
import type { Kernel } from '../../kernel/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { PluginReach } from '../plugins/scopes/index.ts';
import { Collections, createEntries, type Entries } from '../viewing/collections/index.ts';
import { createViewingService } from '../viewing/host-viewing/index.ts';
import { createMarks, type Marks } from '../viewing/playback/index.ts';
import { steadyOf } from '../platform/clock.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Player } from './player.ts';

/** Marks, collections and playlists of profiles. */
export interface Lists {
  readonly collections: Collections;
  readonly entries: Entries;
  readonly marks: Marks;
}

/** Builds them, and provides the host service of plugins. */
export function composeLists(
  { database, clock, newId }: Infrastructure,
  {
    kernel: { events, plugins, provide },
    library,
    player,
    reach,
  }: {
    readonly kernel: Kernel;
    readonly library: LibraryDomain;
    readonly player: Player;
    readonly reach: PluginReach;
  },
): Lists {
  const parts = { ...library, database, events, newId, now: clock.now };
  const lists = {
    collections: new Collections(parts),
    entries: createEntries(parts),
    marks: createMarks(parts),
  };
  provide(
    createViewingService({
      ...lists,
      playback: player.playback,
      hasItem: async (id, viewer) => (await library.access.filterVisible(viewer, [id])).has(id),
      scopeFor: reach.mediaScopeFor,
      agreed: plugins.agreements.list,
      newId,
      now: steadyOf(clock).now,
    }),
  );
  return lists;
}
