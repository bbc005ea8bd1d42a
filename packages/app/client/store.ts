/**
 * A persistent store of texts by key. `localStorage` and React Native's AsyncStorage can be used
 * directly. The texts contain session tokens: use a store that only the app itself can read.
 */
export interface TextStore {
  readonly getItem: (key: string) => string | null | Promise<string | null>;
  readonly setItem: (key: string, text: string) => void | Promise<void>;
  readonly removeItem: (key: string) => void | Promise<void>;
}

/** A store in memory. */
export function createMemoryStore(): TextStore {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}
