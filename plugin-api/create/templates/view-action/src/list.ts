/**
 * What was added last, in the plugin's store: one key for each item. An event may come twice, and two
 * may come at once; a key that is set twice is set once, where a list that is read, changed and written
 * back would lose one of two.
 */
import type { Host } from '@vitrine/plugin-api';

/** An item that was added. */
export interface Added {
  readonly itemId: string;
  readonly title: string;
  /** ISO 8601. */
  readonly addedAt: string;
}

/** The list. */
export interface List {
  readonly add: (added: Added) => Promise<void>;
  readonly remove: (itemId: string) => Promise<void>;
  /** The newest first, as many as the configuration says. */
  readonly read: () => Promise<readonly Added[]>;
  /** How many there were. */
  readonly clear: () => Promise<number>;
}

const prefix = 'added/';
/** So many are kept at most. */
const most = 500;

/** Creates it over the way out. */
export function createList({ kv, config }: Pick<Host, 'kv' | 'config'>): List {
  const keyOf = (itemId: string): string => prefix + itemId;

  async function all(): Promise<readonly Added[]> {
    const { keys } = await kv.list({ prefix, limit: 1000 });
    const values = await inTurns(keys, (key) => kv.get({ key }));
    const added = values.filter(isAdded);
    return added.sort((one, other) => (one.addedAt < other.addedAt ? 1 : -1));
  }

  return {
    add: async (added) => {
      await kv.set({ key: keyOf(added.itemId), value: added });
      const { keys } = await kv.list({ prefix, limit: 1000 });
      if (keys.length <= most) return;
      const tooOld = (await all()).slice(most);
      await inTurns(tooOld, ({ itemId }) => kv.remove({ key: keyOf(itemId) }));
    },
    remove: async (itemId) => {
      await kv.remove({ key: keyOf(itemId) });
    },
    read: async () => {
      const { longest } = await config.get({});
      return (await all()).slice(0, typeof longest === 'number' ? longest : 20);
    },
    clear: async () => {
      const { keys } = await kv.list({ prefix, limit: 1000 });
      await inTurns(keys, (key) => kv.remove({ key }));
      return keys.length;
    },
  };
}

/** At most 64 host calls may be under way at a time. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += 32)
    results.push(...(await Promise.all(items.slice(from, from + 32).map(run))));
  return results;
}

const isAdded = (value: unknown): value is Added =>
  typeof value === 'object' && value !== null && 'title' in value && 'addedAt' in value;
