/**
 * The items added last, in the plugin's store, with one key for each item. An event may come twice,
 * and two may come at once. Setting a key twice is harmless, whereas reading, changing and writing a
 * list could lose one of two.
 */
import type { Host } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';

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
  /** Returns how many there were. */
  readonly clear: () => Promise<number>;
}

const prefix = 'added/';
/** The most entries that are stored and shown. */
const most = 100;

/** Creates it over the host. */
export function createList({ kv, config }: Pick<Host<Configuration>, 'kv' | 'config'>): List {
  const keyOf = (itemId: string): string => prefix + itemId;

  /** All stored entries, the newest first. */
  async function all(): Promise<readonly Added[]> {
    const { entries } = await kv.scan({ prefix, limit: 2 * most });
    const added = entries.map(({ value }) => value).filter(isAdded);
    return added.sort((one, other) => (one.addedAt < other.addedAt ? 1 : -1));
  }

  async function forget(added: readonly Added[]): Promise<void> {
    await kv.batch({ remove: added.map(({ itemId }) => keyOf(itemId)) });
  }

  return {
    add: async (added) => {
      await kv.set({ key: keyOf(added.itemId), value: added });
      const { count } = await kv.count({ prefix, most: most + 1 });
      if (count > most) await forget((await all()).slice(most));
    },
    remove: async (itemId) => {
      await kv.remove({ key: keyOf(itemId) });
    },
    read: async () => {
      const { longest } = await config.get({});
      return (await all()).slice(0, longest);
    },
    clear: async () => {
      const added = await all();
      await forget(added);
      return added.length;
    },
  };
}

const isAdded = (value: unknown): value is Added =>
  typeof value === 'object' &&
  value !== null &&
  ['itemId', 'title', 'addedAt'].every(
    (key) => typeof (value as Readonly<Record<string, unknown>>)[key] === 'string',
  );
