/**
 * Where texts are kept over a restart, key by key. `localStorage` and React Native's AsyncStorage fit
 * as they are. The texts hold session tokens: keep them where only the app itself can read.
 */
export interface TextStore {
  readonly getItem: (key: string) => string | null | Promise<string | null>;
  readonly setItem: (key: string, text: string) => void | Promise<void>;
  readonly removeItem: (key: string) => void | Promise<void>;
}

/** Texts that end with the process. */
export function createMemoryStore(): TextStore {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}
