import type { Selection } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import type { Entities } from './entities.ts';
import type { ItemPlayback } from './item.ts';
import type { Items } from './items.ts';

/** How far a profile is in these items, by their ids; nothing for what it never played. */
export type ReadItemPlayback = (
  profileId: string,
  itemIds: readonly string[],
) => Promise<ReadonlyMap<string, ItemPlayback>>;

/** How far a profile is in an item, as a row. */
export interface PlayedRow {
  readonly item_id: string;
  readonly completed: boolean | number;
  readonly position: number;
  readonly duration: number;
}

/**
 * The same as a list of a statement that reads other things too. `members` is SQL for the ids, with
 * one binding, which follows those of the selection.
 */
export type SelectItemPlayback = (profileId: string, members: string) => Selection<PlayedRow>;

/** The state of a row. */
export const toPlayback = ({ completed, position, duration }: PlayedRow): ItemPlayback => ({
  completed: Boolean(completed),
  position,
  duration,
});

interface Shown {
  readonly id: string;
  readonly playback: ItemPlayback;
}

/**
 * Every answer with items tells how far the viewer's profile is in each: one read for all of them. A
 * search reads it together with the items.
 */
export function withPlayback(
  { items, entities }: { items: Items; entities: Entities },
  read: ReadItemPlayback,
): { readonly items: Items; readonly entities: Entities } {
  async function told<One extends Shown>(
    shown: readonly One[],
    viewer: Viewer,
  ): Promise<readonly One[]> {
    if (shown.length === 0) return shown;
    const states = await read(
      viewer.profileId,
      shown.map(({ id }) => id),
    );
    if (states.size === 0) return shown;
    return shown.map((one) => ({ ...one, playback: states.get(one.id) ?? one.playback }));
  }

  async function toldOne<One extends Shown>(one: One, viewer: Viewer): Promise<One> {
    return (await told([one], viewer))[0] ?? one;
  }

  return {
    items: {
      ...items,
      list: async (viewer, query) => {
        const page = await items.list(viewer, query);
        return { ...page, items: await told(page.items, viewer) };
      },
      get: async (id, viewer) => toldOne(await items.get(id, viewer), viewer),
      getMany: async (ids, viewer) => told(await items.getMany(ids, viewer), viewer),
      update: async (id, changes, viewer) =>
        toldOne(await items.update(id, changes, viewer), viewer),
    },
    entities: {
      ...entities,
      items: async (id, viewer, query) => {
        const page = await entities.items(id, viewer, query);
        return { ...page, items: await told(page.items, viewer) };
      },
    },
  };
}
