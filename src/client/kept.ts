import { IdentityError } from './identity-error.ts';
import { parseJson } from './json.ts';
import type { TextStore } from './store.ts';

/** What is kept as JSON. What is read is `unknown`: a store may hold what an older release wrote. */
export interface Kept {
  /** `undefined` when there is nothing. */
  readonly read: (key: string) => Promise<unknown>;
  readonly write: (key: string, value: unknown) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

/** Keeps under names that begin with `vitrine.`, one write after the other. */
export function createKept(store: TextStore): Kept {
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
