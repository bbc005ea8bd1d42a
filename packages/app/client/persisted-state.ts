import { IdentityError } from './identity-error.ts';
import { parseJson } from './json.ts';
import type { TextStore } from './store.ts';

/** Stored JSON. Values are `unknown`, because an older release may have written them. */
export interface PersistedState {
  /** `undefined` when there is none. */
  readonly read: (key: string) => Promise<unknown>;
  readonly write: (key: string, value: unknown) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

/** Stores values under names that begin with `vitrine.`, one write after the other. */
export function createPersistedState(store: TextStore): PersistedState {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = last.then(work).catch((error: unknown) => {
      throw new IdentityError('store_failed', { cause: error });
    });
    last = turn.catch(() => undefined);
    return turn;
  }
  const nameOf = (key: string): string => `vitrine.${key}`;

  return {
    read: async (key) => {
      const text = await inTurn(() => store.getItem(nameOf(key)));
      return text === null ? undefined : parseJson(text);
    },
    write: (key, value) => inTurn(() => store.setItem(nameOf(key), JSON.stringify(value))),
    remove: (key) => inTurn(() => store.removeItem(nameOf(key))),
  };
}
