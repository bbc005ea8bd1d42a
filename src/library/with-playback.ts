import type { Viewer } from '../accounts/index.ts';
import type { Entities } from './entities.ts';
import type { ItemPlayback } from './item.ts';
import type { Items } from './items.ts';
import type { Search } from './search.ts';

/** How far a profile is in these items, by their ids; nothing for what it never played. */
export type ReadItemPlayback = (
  profileId: string,
  itemIds: readonly string[],
) => Promise<ReadonlyMap<string, ItemPlayback>>;

interface Shown {
  readonly id: string;
  readonly playback: ItemPlayback;
}

/** Every answer with items tells how far the viewer's profile is in each: one read for all of them. */
export function withPlayback(
  { items, entities, search }: { items: Items; entities: Entities; search: Search },
  read: ReadItemPlayback,
): { readonly items: Items; readonly entities: Entities; readonly search: Search } {
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
    search: {
      query: async (viewer, question) => {
        const answer = await search.query(viewer, question);
        return { ...answer, items: await told(answer.items, viewer) };
      },
    },
  };
}
