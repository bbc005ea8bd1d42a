/** Where a browser remembers; `localStorage` is one. */
export interface Memory {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
}

const keyOf = (userId: string): string => `vault-rev:${userId}`;

/**
 * Whether a vault is older than one that this browser saw before: then the broker brought back an old
 * one, perhaps with a passkey in it that was removed since.
 */
export const isRolledBack = (memory: Memory, userId: string, rev: number): boolean =>
  rev < Number(memory.getItem(keyOf(userId)) ?? 0);

/** Remembers the newest revision that was seen. */
export function rememberRevision(memory: Memory, userId: string, rev: number): void {
  if (!isRolledBack(memory, userId, rev)) memory.setItem(keyOf(userId), String(rev));
}
